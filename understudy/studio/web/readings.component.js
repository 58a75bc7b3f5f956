// The component that NiceGUI mounts; the module itself is served from /web.
import readings from "/web/readings.js";
export default readings;
