// Textures: geometry with texture coordinates at each corner, and their materials.
import { triangles } from "/web/forms3d.js";
import { floats } from "/web/frames.js";
import { THREE } from "/web/three.js";

const plain = () => new THREE.MeshLambertMaterial({ vertexColors: true });

export class Prints { // the textures of a scene, each loaded once; until then a thing shows its colour
  constructor(meshes, loaded) {
    this.meshes = meshes;
    this.loaded = loaded; // called after each
    this.waiting = new Map();
  }

  load(name) {
    if (!this.waiting.has(name)) this.waiting.set(name, new THREE.TextureLoader().loadAsync(`/gallery/${name}`).then((picture) => {
      picture.colorSpace = THREE.SRGBColorSpace;
      picture.wrapS = picture.wrapT = THREE.RepeatWrapping;
      picture.anisotropy = 8;
      return picture;
    }));
    return this.waiting.get(name);
  }

  material(name, colour) { // the colour stays if the texture cannot be loaded
    const made = new THREE.MeshLambertMaterial({ color: colour });
    this.load(name).then((picture) => { made.map = picture; made.color.set("#ffffff"); made.needsUpdate = true; this.loaded(); }, () => {});
    return made;
  }

  textured({ textures, colour }) { // geometry with a group and a material for each texture
    const geometry = triangles(textures), materials = [], count = geometry.attributes.position.count;
    if (!geometry.attributes.color) {
      const { r, g, b } = new THREE.Color(colour);
      geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(count * 3).map((_, i) => [r, g, b][i % 3]), 3));
    }
    geometry.setAttribute("uv", new THREE.BufferAttribute(floats(textures.places), 2));
    textures.parts.reduce((first, [corners, name], row) => {
      geometry.addGroup(first, corners, row);
      materials.push(name ? this.material(name, colour) : plain());
      return first + corners;
    }, 0);
    return [geometry, materials];
  }
}
