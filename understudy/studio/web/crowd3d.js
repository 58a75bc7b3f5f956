// Everything that moves: all bodies of one form are one draw call per level of detail, with turning wheels and shadows.
import { sideOf } from "/web/forms3d.js";
import { LIGHT_GLSL, RAW_FRAGMENT, SUN, linear } from "/web/palette.js";
import { contactForm, robotForm } from "/web/robots3d.js";
import { thingForm } from "/web/room3d.js";
import { THREE } from "/web/three.js";

// from so many pixels on: corners of a circle, smallest part (as a share of the reach), without bevels, only the main parts
const FULL = { pixels: 90, round: 24, least: 0 }, COARSE = { pixels: 34, round: 8, least: 0.2, plain: true };
const LEVELS = [FULL, { pixels: 56, round: 10, least: 0.1, plain: true }, COARSE, { pixels: 0, round: 6, least: 0.5, plain: true, far: true }];
const FEW = 0.4, MANY = 100, MANY_IN_SOFTWARE = 20; // with few bodies they may be finer: thresholds are FEW of these, and whole from MANY on

// roll: travel of the left and right wheels and sideways (m), curvature (1/m); wheel: radius, steered, angle of rollers
const TURN = `
attribute vec3 colour, axle, wheel, own; attribute vec2 trait; attribute vec4 roll;
vec3 spun(vec3 v) {
  float path = axle.y > 0.0 ? roll.x : axle.y < 0.0 ? roll.y : 0.5 * (roll.x + roll.y);
  float a = (path + roll.z * tan(wheel.z)) / wheel.x, c = cos(a), s = sin(a);
  vec3 w = vec3(c * v.x + s * v.z, v.y, c * v.z - s * v.x);
  if (wheel.y < 0.5) return w;
  float steer = atan(roll.w * axle.x, 1.0 - roll.w * axle.y), d = cos(steer), e = sin(steer);
  return vec3(d * w.x - e * w.y, e * w.x + d * w.y, w.z);
}`;

const bodyMaterial = (geometry, tall) => new THREE.ShaderMaterial({
  uniforms: { tall: { value: tall } },
  vertexShader: `${TURN} uniform float tall; varying vec3 c; ${LIGHT_GLSL}
void main() {
  vec3 p = position, n = normal;
  if (wheel.x > 0.0) { p = spun(p - axle) + axle; n = spun(n); }
  vec4 world = instanceMatrix * vec4(p, 1.0);
  float shade = 0.45 + 0.55 * smoothstep(0.0, tall, p.z);
  c = lit(mix(colour, own, trait.x), normalize(mat3(instanceMatrix) * n), normalize(cameraPosition - world.xyz), trait.y, shade);
  gl_Position = projectionMatrix * viewMatrix * world;
}`,
  fragmentShader: RAW_FRAGMENT,
  side: sideOf(geometry),
});

const shadowMaterial = (geometry, lift) => new THREE.ShaderMaterial({ // flattened along the sun: the lit sides cover all of it; the stencil keeps overlapping sides from darkening twice
  uniforms: { lift: { value: lift } },
  vertexShader: `uniform float lift; attribute float floor;
void main() {
  vec4 world = instanceMatrix * vec4(position, 1.0);
  world.xy -= vec2(${(SUN.x / SUN.z).toFixed(4)}, ${(SUN.y / SUN.z).toFixed(4)}) * (world.z - floor);
  world.z = floor + lift;
  gl_Position = projectionMatrix * viewMatrix * world;
}`,
  fragmentShader: "void main() { gl_FragColor = vec4(0.16, 0.13, 0.10, 0.30); }",
  transparent: true, depthWrite: false, side: sideOf(geometry), stencilWrite: true, stencilRef: 1, stencilFunc: THREE.NotEqualStencilFunc, stencilZPass: THREE.ReplaceStencilOp,
});

const blobMaterial = () => new THREE.ShaderMaterial({ // a contact shadow: dark under the body, nothing at the rim
  vertexShader: "varying vec2 at; void main() { at = position.xy; gl_Position = projectionMatrix * viewMatrix * instanceMatrix * vec4(position, 1.0); }",
  fragmentShader: "varying vec2 at; void main() { gl_FragColor = vec4(0.42, 0.38, 0.33, 0.6 * (1.0 - smoothstep(0.3, 0.98, length(at)))); }",
  transparent: true, depthWrite: false,
});

class Instances { // one geometry at many places
  constructor(geometry, material, count, attributes = {}) {
    this.mesh = new THREE.InstancedMesh(geometry, material, count);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    this.extra = Object.entries(attributes).map(([name, width]) => {
      const made = new THREE.InstancedBufferAttribute(new Float32Array(count * width), width).setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute(name, made);
      return made;
    });
  }

  put(matrix, ...values) {
    const slot = this.mesh.count++;
    this.mesh.setMatrixAt(slot, matrix);
    this.extra.forEach((attribute, k) => attribute.array.set(values[k], slot * attribute.itemSize));
  }

  end() {
    this.mesh.visible = this.mesh.count > 0;
    if (this.mesh.visible) for (const attribute of [this.mesh.instanceMatrix, ...this.extra]) attribute.needsUpdate = true;
  }
}

export class Crowd { // the bodies of one form
  constructor(bodies, slots, scene, prints, strict) {
    this.slots = slots;
    this.bodies = bodies;
    this.group = new THREE.Group();
    const [first] = bodies, n = slots.length;
    this.make = (level) => (first.what === "robot" ? robotForm(first, scene, prints.meshes, level) : { geometry: thingForm(first, scene, prints.meshes, level), limbs: [] });
    this.form = this.make(FULL); // also what is picked
    this.form.geometry.computeBoundingBox();
    const { min, max } = this.form.geometry.boundingBox;
    this.top = max.z;
    this.reach = Math.max(first.reach || 0, 0.5 * Math.hypot(max.x - min.x, max.y - min.y), 0.01);
    this.printed = first.textures ? this.add(new Instances(...prints.textured(first), n)) : null;
    this.shaded = COARSE.pixels * strict; // from so many pixels on a body has a planar shadow
    this.levels = LEVELS.map((level) => ({ ...level, pixels: level.pixels * strict, instances: null, limbs: [] }));
    this.colours = bodies.map((body) => linear(body.colour));
    this.blobs = this.add(new Instances(new THREE.PlaneGeometry(2, 2), blobMaterial(), n), 1);
  }

  add(instances, order = 0) {
    instances.mesh.renderOrder = order;
    this.group.add(instances.mesh);
    return instances;
  }

  level(k) { // built when it is first needed
    const level = this.levels[k];
    if (level.instances) return level;
    const { geometry, limbs } = k ? this.make(level) : this.form, n = this.slots.length, attributes = { own: 3, roll: 4 };
    level.instances = this.add(new Instances(geometry, bodyMaterial(geometry, this.reach * 0.7), n, attributes));
    level.limbs = limbs.map(({ joint, geometry: form }) => ({ joint, instances: this.add(new Instances(form, bodyMaterial(form, 0.001), n, attributes)) }));
    return level;
  }

  get shadow() {
    if (this.flat) return this.flat;
    const { geometry } = this.make(COARSE);
    return (this.flat = this.add(new Instances(geometry, shadowMaterial(geometry, this.reach * 0.014), this.slots.length, { floor: 1 }), 2));
  }

  begin() {
    for (const { instances, limbs } of this.levels) { if (instances) instances.mesh.count = 0; for (const limb of limbs) limb.instances.mesh.count = 0; }
    for (const other of [this.printed, this.blobs, this.flat]) if (other) other.mesh.count = 0;
  }

  show({ poses, rolling }, camera, height, { planar, hidden, floor }) { // each body into the list of its level; those out of sight into none
    const matrix = new THREE.Matrix4(), place = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1), focal = height / (2 * Math.tan((camera.fov * Math.PI) / 360));
    const seen = new THREE.Frustum().setFromProjectionMatrix(matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)), ball = new THREE.Sphere(new THREE.Vector3(), this.reach * 3);
    this.begin();
    this.slots.forEach((slot, i) => {
      place.fromArray(poses, slot * 7);
      ball.center.set(place.x, place.y, place.z + this.top / 2);
      if (slot === hidden || !seen.intersectsSphere(ball)) return;
      const pixels = (2 * this.reach * focal) / Math.max(place.distanceTo(camera.position), 1e-3), k = this.levels.findIndex((level) => pixels >= level.pixels || level.far);
      matrix.compose(place, turn.fromArray(poses, slot * 7 + 3), one);
      const low = floor ? floor(place.x, place.y) : 0;
      this.shade(matrix, place, low, pixels, planar);
      if (this.printed) return this.printed.put(matrix);
      const level = this.level(k), roll = slot * 4 < rolling.length ? rolling.subarray(slot * 4, slot * 4 + 4) : [0, 0, 0, 0];
      level.instances.put(matrix, this.colours[i], roll);
      for (const limb of level.limbs) {
        const from = (this.bodies[i].limbs + limb.joint) * 7;
        limb.instances.put(matrix.compose(place.fromArray(poses, from), turn.fromArray(poses, from + 3), one), this.colours[i], roll);
      }
    });
    this.end();
  }

  shade(matrix, place, low, pixels, planar) {
    const { reach } = this, above = Math.max(0, place.z - low);
    if (above < 2 * reach && pixels > 3) this.blobs.put(blob.makeScale(reach * 1.35, reach * 1.15, 1).premultiply(heading.extractRotation(matrix)).setPosition(place.x, place.y, low + reach * 0.008));
    if (planar && !this.printed && pixels > this.shaded) this.shadow.put(matrix, [low]);
  }

  end() {
    for (const { instances, limbs } of this.levels) { instances?.end(); for (const limb of limbs) limb.instances.end(); }
    for (const other of [this.printed, this.blobs, this.flat]) other?.end();
  }

  pick(raycaster, poses, found) {
    const probe = new THREE.Mesh(this.form.geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    this.slots.forEach((slot) => {
      probe.matrixWorld.compose(new THREE.Vector3().fromArray(poses, slot * 7), new THREE.Quaternion().fromArray(poses, slot * 7 + 3), new THREE.Vector3(1, 1, 1));
      const hit = raycaster.intersectObject(probe, false)[0];
      if (hit && hit.distance < found.distance) Object.assign(found, { slot, distance: hit.distance });
    });
  }

  wires(poses, group, meshes) { // collision shapes, for all of them
    this.outline ||= new Instances(this.bodies[0].textures ? this.form.geometry : contactForm(this.bodies[0], meshes), new THREE.MeshBasicMaterial({ wireframe: true, color: "#ff00aa" }), this.slots.length);
    if (!this.outline.mesh.parent) group.add(this.outline.mesh);
    this.outline.mesh.count = 0;
    const matrix = new THREE.Matrix4();
    for (const slot of this.slots) this.outline.put(matrix.compose(new THREE.Vector3().fromArray(poses, slot * 7), new THREE.Quaternion().fromArray(poses, slot * 7 + 3), new THREE.Vector3(1, 1, 1)));
    this.outline.end();
  }
}
const blob = new THREE.Matrix4(), heading = new THREE.Matrix4();

export class Bodies {
  constructor(scene, prints, software) {
    this.group = new THREE.Group();
    this.outlines = new THREE.Group();
    this.group.add(this.outlines);
    this.prints = prints;
    const equal = new Map(), strict = Math.min(1, Math.max(FEW, scene.bodies.length / (software ? MANY_IN_SOFTWARE : MANY)));
    scene.bodies.forEach((body, slot) => {
      const own = body.what === "robot" ? [body.drive, body.track, body.wheel, body.wheels, body.castors, body.parts, body.looks, body.devices, body.joints] : body.colour;
      const key = JSON.stringify([body.what, body.shape, body.figure, body.textures, own]);
      if (!equal.has(key)) equal.set(key, []);
      equal.get(key).push(slot);
    });
    this.crowds = [...equal.values()].map((slots) => new Crowd(slots.map((slot) => scene.bodies[slot]), slots, scene, prints, strict));
    this.of = new Map(this.crowds.flatMap((crowd) => crowd.slots.map((slot) => [slot, crowd])));
    for (const crowd of this.crowds) this.group.add(crowd.group);
  }

  show(frame, camera, height, options) { for (const crowd of this.crowds) crowd.show(frame, camera, height, options); }

  wires(on, frame) {
    this.outlines.visible = on;
    if (on && frame) for (const crowd of this.crowds) crowd.wires(frame.poses, this.outlines, this.prints.meshes);
  }

  top(slot) { return this.of.get(slot)?.top ?? 0.3; } // its true height, for names above it (m)

  pick(raycaster, frame) { // the slot under a ray, with its distance
    const found = { slot: -1, distance: Infinity };
    for (const crowd of this.crowds) crowd.pick(raycaster, frame.poses, found);
    return found.slot < 0 ? null : found;
  }
}
