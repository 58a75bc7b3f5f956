// How many pixels the selected robot covers in the first pane: drawn with it and without it, without shadows and beams.
const { view3d: view, list: [pane] } = __us.stage, gl = view.renderer.getContext(), slot = __us.world.slots.get(__us.world.selected);
const { planar } = view.quality, faint = [view.ring.material];
view.quality.planar = false;
view.paint.group.visible = false;
view.bodies.group.traverse((child) => { if (child.renderOrder === 1) faint.push(child.material); }); // contact shadows
const grab = (hidden) => {
  Object.defineProperty(pane.eye, "hidden", { value: hidden, configurable: true });
  for (const material of faint) material.opacity = 0;
  view.drawPane(pane);
  const { width, height } = view.renderer.domElement, pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
};
const [drawn, bare] = [grab(-1), grab(slot)];
delete pane.eye.hidden;
for (const material of faint) material.opacity = material === view.ring.material ? 0.9 : 1;
view.quality.planar = planar;
view.paint.group.visible = true;
view.spoil();
let count = 0;
for (let i = 0; i < drawn.length; i += 4) count += Math.abs(drawn[i] - bare[i]) + Math.abs(drawn[i + 1] - bare[i + 1]) + Math.abs(drawn[i + 2] - bare[i + 2]) > 6;
return count;
