// The component that NiceGUI mounts; the module itself is served from /web.
import plots from "/web/plots.js";
export default plots;
