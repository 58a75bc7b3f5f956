/* Search without a server: a browser starts no worker from a file, so its script runs in a hidden frame instead.
   The theme's own search script looks for the name IFrameWorker. */
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      this.inside = frame.contentWindow
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
      this.ready = this.run(url)
      this.inside.importScripts = async (...urls) => {
        for (const each of urls) await this.run(each)
      }
    }

    run(url) {
      return new Promise((resolve, reject) => {
        const script = this.inside.document.createElement("script")
        Object.assign(script, { src: url, onload: resolve, onerror: reject })
        this.inside.document.head.append(script)
      })
    }

    async postMessage(data) {
      await this.ready
      this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }))
    }
  }
}
