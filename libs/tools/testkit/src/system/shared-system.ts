import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { serverFolder } from '../servers/run-folder.ts';
import { ServiceProcess } from './service-process.ts';
import { type Place, built, freePort, placeOf, settingsOf } from './system.ts';

/** Starts the whole system as one process that ends with its owner, whoever of its suites is done by then. */
export async function startShared(owner: number): Promise<Place> {
  await built();
  const folder = await serverFolder(owner, 'system');
  const data = join(folder, 'data');
  await mkdir(data);
  const [port, operatorPort] = [await freePort(), await freePort()];
  const env = { ...settingsOf(data, port, operatorPort), DEMO_HISTORY: 'true' };
  const system = new ServiceProcess('all-in-one', 'all-in-one', folder, env);
  system.launch();
  await system.ready();
  return placeOf(data, port, operatorPort);
}
