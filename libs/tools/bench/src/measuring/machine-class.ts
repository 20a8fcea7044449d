import { spawnSync } from 'node:child_process';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { nginxCommand } from './peer-cache.ts';

/** What kind of machine measured, and the programs that took part or could have. Names no host. */
export interface MachineClass {
  readonly processors: number;
  /** Memory of the machine, rounded. */
  readonly gigabytes: number;
  /** Average of what wanted to run in the minute before, as the system counts it: at rest near 0. */
  readonly load?: number;
  /** As Node.js names it: `linux x64`. */
  readonly platform: string;
  /** By the name of a program; without those that are not installed. */
  readonly versions: Readonly<Record<string, string>>;
}

/** How a program is asked for its version, and how the version is found in the answer. */
const programs: Readonly<Record<string, readonly [command: string, argument: string, version: RegExp]>> = {
  Java: ['java', '-version', /version "([^"]+)"/],
  nginx: [nginxCommand(), '-v', /nginx\/([\d.]+)/],
  Redis: ['redis-server', '--version', /v=([\d.]+)/],
};

/** This machine. */
export function machineClass(): MachineClass {
  const versions: Record<string, string> = { 'Node.js': process.versions.node };
  for (const [name, [command, argument, version]] of Object.entries(programs)) {
    const { stdout, stderr } = spawnSync(command, [argument], { encoding: 'utf8' });
    const found = version.exec(`${stdout}${stderr}`)?.[1];
    if (found !== undefined) versions[name] = found;
  }
  return {
    processors: availableParallelism(),
    load: Math.round(loadavg()[0]! * 10) / 10,
    gigabytes: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    versions,
  };
}
