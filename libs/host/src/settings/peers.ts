import { addressSetting as peerVariable } from '@lyceum/contracts';
import type { Peer } from '@lyceum/internal-api';
import type { Tracer } from '@lyceum/kernel';
import { z } from 'zod';
import { type AnyModule, type ServiceRole, serviceRoles } from '@lyceum/service';
import { routedServices } from './routes.ts';

/** A module with what the setting ROUTES adds to it. */
interface RoutedModule extends AnyModule {
  /** Services that it needs because ROUTES names them. */
  readonly routed?: readonly string[];
}

/** The modules as ROUTES extends them: the edge hands requests to what it names, and who asks every service asks that, too. */
export function withRouted(
  modules: readonly AnyModule[],
  settings: Readonly<Record<string, unknown>>,
): readonly RoutedModule[] {
  const routed = routedServices(settings['ROUTES']);
  if (routed.length === 0) return modules;
  return modules.map((module) => (module.forwards || module.asksEvery ? { ...module, routed } : module));
}

/** Services whose facts the modules need and that do not run beside them. */
const missingSources = (modules: readonly AnyModule[]): string[] => others(modules, (each) => each.consumes);

/** All services that the modules need and that do not run beside them. */
export const missingPeers = (modules: readonly RoutedModule[]): string[] =>
  others(modules, (each) => [...each.consumes, ...(each.forwards ?? []), ...(each.routed ?? [])]);

/** Services in other processes that the modules call: those that they need, and those that they can do without. */
const calledPeers = (modules: readonly RoutedModule[]): string[] => [
  ...new Set([...missingPeers(modules), ...others(modules, (each) => each.asks ?? [])]),
];

function others(modules: readonly RoutedModule[], needs: (module: RoutedModule) => readonly string[]): string[] {
  const here = modules.map(({ name }) => name);
  return [...new Set(modules.flatMap(needs))].filter((name) => !here.includes(name));
}

/** Whether the modules are a whole installation: they include the edge and need no other process. */
export const isWhole = (modules: readonly RoutedModule[]): boolean =>
  modules.some(({ forwards }) => forwards !== undefined) && missingPeers(modules).length === 0;

const origins = 'origin like http://10.0.0.7:8080, several instances separated by commas';

const isOrigin = (text: string): boolean => /^https?:$/.test(protocolOf(text)) && new URL(text).origin === text;
const protocolOf = (text: string): string => (URL.canParse(text) ? new URL(text).protocol : '');

/** The settings that say where services in other processes are. */
export const peerSettings = (modules: readonly RoutedModule[]): z.ZodObject =>
  z.object(
    Object.fromEntries(
      calledPeers(modules).map((name) => [
        peerVariable(name),
        z
          .string()
          .refine((text) => text.split(',').every(isOrigin), `an ${origins}`)
          .optional()
          .meta({ description: `Where the ${name} service is` }),
      ]),
    ),
  );

/** Variables that name services which run in this process, a sentence each: where that is all there is, or no address. */
export function unusedPeers(modules: readonly AnyModule[], env: Readonly<Record<string, unknown>>): string[] {
  return modules.flatMap(({ name }) => {
    const [variable, value] = [peerVariable(name), env[peerVariable(name)]];
    if (typeof value !== 'string') return [];
    const isAddress = value.split(',').every(isOrigin);
    if (isAddress && !isWhole(modules)) return [];
    const unused = `${variable} is not used here, because the ${name} service runs in this process`;
    return [isAddress ? unused : `${unused}; it is no ${origins} either`];
  });
}

/** What of the process's settings decides where its services are. */
interface Surroundings {
  readonly SERVICE_TOKEN?: string | undefined;
  readonly MONGODB_URL?: string | undefined;
  readonly KAFKA_BROKERS?: string | undefined;
  readonly REDIS_URL?: string | undefined;
  readonly ROLE: readonly ServiceRole[];
}

/** What separate processes lack to find and trust each other: variable and what would do. */
export function peerProblems(
  modules: readonly RoutedModule[],
  settings: Surroundings & Readonly<Record<string, unknown>>,
): [variable: string, expected: string][] {
  const problems: [string, string][] = [];
  const need = (variable: string, expected: string) => {
    if (settings[variable] === undefined) problems.push([variable, expected]);
  };
  if (settings.ROLE.some((role) => role !== 'relay'))
    for (const name of missingPeers(modules))
      need(peerVariable(name), `the address of the ${name} service, which does not run in this process`);
  if (modules.length > 0 && !isWhole(modules))
    need('SERVICE_TOKEN', 'the secret that all processes of the installation share');
  const sources = missingSources(modules);
  if (sources.length > 0)
    need('KAFKA_BROKERS', `brokers, because the facts of ${sources.join(' and ')} come from another process`);
  const routed = others(modules, (each) => each.routed ?? []);
  if (routed.length > 0)
    need('KAFKA_BROKERS', `brokers, because ${routed.join(' and ')}, another process, has to hear of this one`);
  if (settings.ROLE.length < serviceRoles.length) {
    const why = 'because other processes have the other roles of the service';
    need('MONGODB_URL', `a server, ${why}`);
    need('KAFKA_BROKERS', `brokers, ${why}`);
    if (settings.ROLE.includes('http')) need('REDIS_URL', `a server, ${why}`);
  }
  return problems;
}

/** The peers that the settings name, by name. */
export function peersOf(
  modules: readonly AnyModule[],
  settings: Readonly<Record<string, unknown>>,
  tracer?: Tracer,
): ReadonlyMap<string, Peer> {
  const token = settings['SERVICE_TOKEN'] as string | undefined;
  const named = calledPeers(withRouted(modules, settings)).flatMap((name): [string, Peer][] => {
    const urls = settings[peerVariable(name)] as string | undefined;
    const traced = tracer ? { tracer } : {};
    return urls === undefined || token === undefined ? [] : [[name, { name, urls: urls.split(','), token, ...traced }]];
  });
  return new Map(named);
}
