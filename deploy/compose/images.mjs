// What docker-compose.yml runs: an image of each service, and of the engines and the store of traces images that take
// the same command lines and settings as those that it names, since no registry of images is asked.
import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildFrom, buildServices, engine, enginesBase, nodeImage } from '../cluster/images.mjs';
import { composition } from './installation.mjs';

const folder = join(import.meta.dirname, 'images');
/** Other than that of `npm run cluster`: both may build at once, of different checkouts. */
const tag = 'compose';

/** Fills a folder with what an engine consists of, and with the scripts of its image. */
const fills = {
  kafka(to, version) {
    cpSync(join(engine(`kafka-${version}`), 'lib'), to('lib'), { recursive: true });
    for (const name of ['kafka-run', 'kafka-broker-api-versions.sh']) copyFileSync(join(folder, name), to(name));
  },
  mongodb(to) {
    copyFileSync(join(engine('ferretdb'), 'ferretdb'), to('ferretdb'));
    for (const name of ['mongod', 'mongosh']) copyFileSync(join(folder, name), to(name));
  },
  redis: (to) => copyFileSync(join(folder, 'redis-server'), to('redis-server')),
  jaeger: (to) => copyFileSync(join(folder, 'jaeger.mjs'), to('jaeger.mjs')),
};

/** Builds all images; gives what each is called in docker-compose.yml, by its name in the engine that builds. */
export function buildComposition() {
  const wanted = composition().services;
  enginesBase();
  const args = { NODE_IMAGE: nodeImage() };
  const engines = Object.entries(fills).map(([name, fill]) => {
    const { image } = wanted[name];
    const built = `lyceum/stand-in-${name}:${tag}`;
    buildFrom(built, join(folder, `${name}.Dockerfile`), (to) => fill(to, image.split(':')[1]), args);
    return [built, image];
  });
  const services = buildServices(tag).map((built) => {
    const { image } = Object.values(wanted).find(({ image: each }) => each.split(':')[0] === built.split(':')[0]);
    return [built, image];
  });
  return Object.fromEntries([...engines, ...services]);
}
