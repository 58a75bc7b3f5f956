// The component that NiceGUI mounts; the module itself is served from /web.
import layout from "/web/layout.js";
export default layout;
