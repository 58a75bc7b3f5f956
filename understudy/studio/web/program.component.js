// The component that NiceGUI mounts; the module itself is served from /web.
import program from "/web/program.js";
export default program;
