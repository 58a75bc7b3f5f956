// The one place that knows where three.js comes from: out of NiceGUI's wheel, through the page's import map.
export { THREE, OrbitControls } from "nicegui-scene";
