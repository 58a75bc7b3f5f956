// The 3D panes: one scene, one WebGL canvas, a camera and a rectangle for each pane.
import { THREE, OrbitControls } from "/web/three.js";
import { Bodies, dispose, fixedThings, grid, ground, walls } from "/web/models3d.js";
import { Prints } from "/web/prints3d.js";
import { Paint } from "/web/paint3d.js";

const SKY = { light: "#e9eef2", dark: "#14181d" };
const LOOKS = { // camera positions of presets relative to the scene's centre: x, y, z as shares of its size
  initial: [-0.5, -0.82, 0.78], top: [0, -0.001, 1.25], front: [1, 0, 0.25], back: [-1, 0, 0.25], left: [0, 1, 0.25], right: [0, -1, 0.25],
};

export class View3D {
  constructor(canvas, world) {
    this.world = world;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: new URLSearchParams(location.search).get("smooth") === "1", preserveDrawingBuffer: true });
    this.renderer.setScissorTest(true);
    this.scene = new THREE.Scene();
    this.scene.add(new THREE.HemisphereLight("#ffffff", "#8a8478", 1.2));
    const sun = new THREE.DirectionalLight("#ffffff", 2.1);
    sun.position.set(-5, -6, 7);
    this.scene.add(sun);
    this.things = new THREE.Group();
    this.paint = new Paint();
    this.ring = new THREE.Mesh(new THREE.RingGeometry(1, 1.15, 40), new THREE.MeshBasicMaterial({ color: "#ffb000", transparent: true, opacity: 0.85, depthWrite: false }));
    this.ring.visible = false;
    this.scene.add(this.things, this.paint.group, this.ring);
    this.version = -1;
    this.drawn = null;
  }

  rebuild() {
    dispose(this.things);
    this.things.clear();
    const { scene } = this.world;
    const prints = new Prints(scene.meshes);
    this.bodies = new Bodies(scene.bodies, prints);
    this.fixed = fixedThings(scene.fixed, prints);
    this.walls = walls(scene.walls, prints);
    this.ground = ground(scene, prints);
    this.step = gridStep(scene.bounds);
    this.grid = grid(scene.bounds, this.step, inkOn(this.ground), (x, y) => this.world.height(x, y));
    this.things.add(this.ground, this.grid, this.walls, this.fixed, this.bodies.group);
    this.version = this.world.version;
    this.drawn = null;
  }

  update(options) { // move meshes to the latest frame
    if (!this.world.scene) return;
    if (this.version !== this.world.version) this.rebuild();
    this.renderer.setClearColor(SKY[options.dark ? "dark" : "light"]);
    this.grid.visible = options.grid;
    this.bodies.wires(options.shapes);
    const frame = this.world.frame;
    if (!frame) return;
    if (frame !== this.drawn || options.changed) {
      this.bodies.show(frame);
      this.paint.show(this.world, options);
      this.drawn = frame;
    }
    const place = this.world.place(this.world.selected), thing = place && this.world.thing(this.world.selected);
    this.ring.visible = Boolean(place);
    if (place) {
      const size = thing.reach || Math.max(...(thing.shape.size || [thing.shape.radius * 2])) * 0.6;
      this.ring.position.set(place[0], place[1], place[3] + 0.015);
      this.ring.scale.setScalar(size * 1.15);
    }
  }

  resize(width, height) { this.renderer.setSize(width, height, false); }

  clear() { // including the gaps between the panes
    this.renderer.setScissorTest(false);
    this.renderer.clear();
    this.renderer.setScissorTest(true);
  }

  draw(pane) {
    const { left, top, width, height } = pane.rect, total = this.renderer.domElement.height / this.renderer.getPixelRatio();
    this.renderer.setViewport(left, total - top - height, width, height);
    this.renderer.setScissor(left, total - top - height, width, height);
    this.renderer.render(this.scene, pane.camera);
  }

  dispose() {
    dispose(this.scene);
    this.renderer.dispose();
  }
}

function inkOn({ material, geometry }) { // a line colour with contrast to the ground
  const paint = material.vertexColors ? new THREE.Color().fromArray(geometry.attributes.color.array) : material.color;
  return 0.2126 * paint.r + 0.7152 * paint.g + 0.0722 * paint.b < 0.4 ? "#f2f6fa" : "#44535f";
}

export function gridStep(bounds) { // a round length that fits some tens of times into the scene
  const size = Math.max(bounds[2] - bounds[0], bounds[3] - bounds[1]), power = 10 ** Math.floor(Math.log10(size / 12));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => size / step <= 24);
}

export class Eye { // a pane's camera and its control modes
  constructor(element, world) {
    this.world = world;
    this.camera = new THREE.PerspectiveCamera(50, 1, 0.02, 500);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = false;
    this.controls.screenSpacePanning = false; // along the floor, with the right button or two fingers
    this.controls.maxPolarAngle = Math.PI * 0.495;
    this.mode = "orbit"; // orbit, follow, ride, fly
    this.held = new Set();
    this.looked = false;
  }

  look(preset) {
    const [ax, ay, bx, by] = this.world.scene.bounds, size = Math.max(bx - ax, by - ay, 1), from = LOOKS[preset];
    const middle = new THREE.Vector3((ax + bx) / 2, (ay + by) / 2, 0), away = size * Math.max(1, 1.25 / this.camera.aspect);
    this.controls.target.copy(middle);
    this.camera.position.set(middle.x + from[0] * away, middle.y + from[1] * away, from[2] * away);
    this.camera.far = size * 20;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.looked = true;
  }

  lead(mode) {
    this.mode = mode;
    this.controls.enabled = mode === "orbit" || mode === "follow";
    this.followed = null;
    if (mode === "orbit") this.camera.up.set(0, 0, 1);
  }

  fit(width, height) {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  update(seconds) {
    if (!this.looked && this.world.scene) this.look("initial");
    const place = this.world.place(this.world.selected);
    if (this.mode === "follow" && place) {
      if (this.followed) {
        const moved = new THREE.Vector3(place[0] - this.followed[0], place[1] - this.followed[1], place[3] - this.followed[3]);
        this.controls.target.add(moved);
        this.camera.position.add(moved);
      } else {
        const away = this.camera.position.clone().sub(this.controls.target).setLength(3.5);
        this.controls.target.set(place[0], place[1], place[3] + 0.2);
        this.camera.position.copy(this.controls.target).add(away);
      }
      this.followed = place;
      this.controls.update();
    } else if (this.mode === "ride" && place) {
      const height = (this.world.thing(this.world.selected).shape.height || 0.3) + 0.35, [x, y, h] = place; // above the scanner
      this.camera.position.set(x - 0.35 * Math.cos(h), y - 0.35 * Math.sin(h), height);
      this.camera.lookAt(x + 2 * Math.cos(h), y + 2 * Math.sin(h), height - 0.35);
    } else if (this.mode === "fly") {
      this.fly(seconds);
    }
  }

  fly(seconds) { // Q up, Z down, W and S forward and back, A and D sideways: SEAR's keys
    const way = new THREE.Vector3();
    this.camera.getWorldDirection(way);
    const side = new THREE.Vector3().crossVectors(way, this.camera.up).normalize(), pace = 3 * seconds;
    const move = (key, vector, sign) => this.held.has(key) && this.camera.position.addScaledVector(vector, sign * pace);
    move("KeyW", way, 1); move("KeyS", way, -1); move("KeyD", side, 1); move("KeyA", side, -1);
    move("KeyQ", this.camera.up, 1); move("KeyZ", this.camera.up, -1);
    const low = this.world.height(this.camera.position.x, this.camera.position.y) + 0.05;
    this.camera.position.z = Math.max(this.camera.position.z, low);
    this.controls.target.copy(this.camera.position).addScaledVector(way, 2);
  }

  turn(dx, dy) { // look around in fly mode, by pixels of the mouse
    const way = new THREE.Vector3();
    this.camera.getWorldDirection(way);
    const yaw = Math.atan2(way.y, way.x) - dx * 0.004, pitch = Math.max(-1.5, Math.min(1.5, Math.asin(way.z) - dy * 0.004));
    this.camera.lookAt(this.camera.position.clone().add(new THREE.Vector3(Math.cos(yaw) * Math.cos(pitch), Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch))));
  }

  ahead(metres) { // in fly mode, by two fingers
    const way = new THREE.Vector3();
    this.camera.getWorldDirection(way);
    this.camera.position.addScaledVector(way, metres);
  }

  ray(u, v) { // through a point of the pane, 0 to 1 from the upper left
    const raycaster = new THREE.Raycaster();
    raycaster.setFromCamera(new THREE.Vector2(u * 2 - 1, 1 - v * 2), this.camera);
    return raycaster;
  }

  ground(u, v) { // where the ray meets the floor or the terrain
    const ray = this.ray(u, v), land = this.land?.();
    const hit = land ? ray.intersectObject(land, false)[0] : null;
    if (hit) return [hit.point.x, hit.point.y];
    const point = ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1), 0), new THREE.Vector3());
    return point ? [point.x, point.y] : null;
  }

  project(x, y, z) { // to shares of the pane, or null behind the camera
    const point = new THREE.Vector3(x, y, z).project(this.camera);
    return point.z < 1 ? [(point.x + 1) / 2, (1 - point.y) / 2] : null;
  }

  dispose() { this.controls.dispose(); }
}
