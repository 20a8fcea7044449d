import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Told } from '@lyceum/testkit';
import type { Installation } from './installation.ts';
import { root } from './page.ts';

const folder = join(root, 'libs/tools/crashtest/release-data');

/** A client and a refresh token that it has. */
interface Holder {
  readonly client: string;
  readonly refresh_token: string;
}

/** What `npm run release-data` has kept of the last landed release. */
interface ReleaseData {
  readonly revision: string;
  /** RFC 3339 UTC. */
  readonly made_at: string;
  /** The address of its first school. */
  readonly base_url: string;
  /** Of all people in it. */
  readonly password: string;
  readonly scope: string;
  /** By the e-mail address of whose they are. */
  readonly holders: Readonly<Record<string, Holder>>;
  readonly revoked: Holder;
  /** What each was told, by their e-mail address. */
  readonly told: Readonly<Record<string, Told>>;
}

const unpacked = async (name: string): Promise<Buffer> => brotliDecompressSync(await readFile(join(folder, name)));

export const lastRelease = async (): Promise<ReleaseData> => ({
  ...(JSON.parse(await readFile(join(folder, 'release.json'), 'utf8')) as Omit<ReleaseData, 'told'>),
  told: JSON.parse((await unpacked('told.json.br')).toString()) as ReleaseData['told'],
});

/** Puts the data folder of the last release in the place of an installation's, which has never run. */
export async function putReleaseData(machine: Installation): Promise<void> {
  await mkdir(machine.env['STATE']!, { recursive: true });
  await writeFile(join(machine.folder, 'data.tar'), await unpacked('data.tar.br'));
  const { status, told } = await machine.run('tar -C "$STATE" --strip-components=1 -xf data.tar');
  if (status !== 0) throw new Error(`the data of the last release cannot be unpacked: ${told}`);
}

/** Options of Node.js for a process whose clock says another time, as far as it asks `Date`. */
export function clockBehind(milliseconds: number): string {
  const text = `const late = ${milliseconds}, real = Date, now = () => real.now() - late;
globalThis.Date = new Proxy(real, {
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  apply: () => String(new real(now())),
});`;
  return `--import=data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
}
