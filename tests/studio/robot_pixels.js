// How many pixels the selected robot covers in the first pane: drawn with it and without it, without shadows and beams.
const { view3d: view, list: [pane] } = __us.stage, gl = view.renderer.getContext(), slot = __us.world.slots.get(__us.world.selected);
const { planar } = view.quality, shadows = [];
view.quality.planar = false;
view.paint.group.visible = false;
view.bodies.group.traverse((child) => { if (child.renderOrder === 1) shadows.push(child.material); }); // contact shadows
const grab = (hidden) => {
  Object.defineProperty(pane.eye, "hidden", { value: hidden, configurable: true });
  view.ring.material.opacity = 0;
  for (const material of shadows) material.visible = false;
  view.drawPane(pane);
  const { width, height } = view.renderer.domElement, pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
};
const [drawn, bare] = [grab(-1), grab(slot)];
delete pane.eye.hidden;
view.ring.material.opacity = 0.9;
for (const material of shadows) material.visible = true;
view.quality.planar = planar;
view.paint.group.visible = true;
view.spoil();
let count = 0;
for (let i = 0; i < drawn.length; i += 4) count += Math.abs(drawn[i] - bare[i]) + Math.abs(drawn[i + 1] - bare[i + 1]) + Math.abs(drawn[i + 2] - bare[i + 2]) > 6;
return count;
