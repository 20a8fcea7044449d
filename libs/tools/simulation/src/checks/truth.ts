import { storedJson } from '@lyceum/kernel';
import type { LaneRecord } from '../servers/log-lane.ts';
import type { ServiceName, World } from '../world.ts';

/** Hears of what is not as it must be. */
export type Missing = (what: string) => void;

/** An event as the server keeps it. Personal fields are encrypted. */
export interface TrueEvent {
  readonly tenant: string;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly commitId: string;
}

type Row = readonly [place: number, type: string, schema: number, data: Readonly<Record<string, unknown>>];

/** The events of a service's log, in the order of the lanes: the truth that all else must follow from. */
export const eventsOf = (world: World, service: ServiceName): readonly TrueEvent[] =>
  world.servers[service].log.lanes.flatMap(({ all }) => all.flatMap(eventsIn));

function eventsIn({ tenant, streams, cid: commitId, ev }: LaneRecord): readonly TrueEvent[] {
  const versions = streams.map(({ before }) => before);
  return storedJson<Row[]>(ev).map(([place, type, , data]) => {
    versions[place]! += 1;
    return { tenant, stream: streams[place]!.id, version: versions[place]!, type, data, commitId };
  });
}

/** Checks each commit as it is stored: positions without a hole, each naming the one before, versions likewise. */
export function watchLog(world: World): void {
  const versions = new Map<string, number>();
  const keyOf = (service: ServiceName, tenant: string, stream: string) => `${service} ${tenant} ${stream}`;
  world.onCut = (service) => {
    for (const key of versions.keys()) if (key.startsWith(`${service} `)) versions.delete(key);
    for (const { tenant, stream, version } of eventsOf(world, service))
      versions.set(keyOf(service, tenant, stream), version);
  };
  world.onStored = (service, lane, record, before) => {
    const where = `${service} lane ${lane} position ${Number(record._id)}`;
    if (Number(record._id) !== Number(before?._id ?? 0) + 1) world.fail(`${where} leaves a hole`);
    if (record.prev !== (before?.cid ?? '')) world.fail(`${where} does not name the commit before`);
    for (const { id, before: from, after } of record.streams) {
      const key = keyOf(service, record.tenant, id);
      if ((versions.get(key) ?? 0) !== from) world.fail(`${where} takes ${id} from ${from}`);
      versions.set(key, after);
    }
    world.note(`${where}: ${record.tenant} ${record.streams.map(({ id, after }) => `${id}@${after}`).join(' ')}`);
  };
}
