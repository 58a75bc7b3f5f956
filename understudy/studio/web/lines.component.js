// The component that NiceGUI mounts; the module itself is served from /web.
import lines from "/web/lines.js";
export default lines;
