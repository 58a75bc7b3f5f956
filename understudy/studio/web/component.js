// The component that NiceGUI mounts; the modules themselves are served from /web.
import stage from "/web/stage.js";
export default stage;
