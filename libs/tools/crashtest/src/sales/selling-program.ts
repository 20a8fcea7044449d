import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './fused-services.ts';

/**
 * What a sale needs, as one process: the services without the gateway, so that a start costs less. Requests bring what the
 * gateway would add to them, and the secret of the installation. The modules are those of `fused-services`.
 */
const root = join(import.meta.dirname, '../../../../..');
const built = (file: string) => import(pathToFileURL(join(root, file)).href) as Promise<Record<string, unknown>>;

const services = ['auth', 'school', 'catalog', 'media', 'learning', 'commerce', 'content'];
const { run } = (await built('libs/host/dist/index.js')) as { run: (modules: readonly unknown[]) => Promise<void> };
await run(await Promise.all(services.map(async (name) => (await built(`services/${name}/dist/module.js`))[name])));
