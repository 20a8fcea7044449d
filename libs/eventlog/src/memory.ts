import { embeddedEventLog } from './embedded.ts';
import { checkLanes, defaultLanes } from './lane.ts';
import type { EventLog } from './port.ts';
import type { CommitStore, StoredCommit } from './store.ts';

interface Stream {
  version: number;
  readonly commits: StoredCommit[];
}

/**
 * An event log in the memory of this process, for tests and trials: it ends with the process. Events are kept as JSON,
 * so no object is shared between writers and readers. `lanes` is 16 when not given.
 */
export function memoryEventLog({ lanes = defaultLanes }: { lanes?: number } = {}): EventLog {
  return embeddedEventLog(memoryStore(checkLanes(lanes)));
}

function memoryStore(lanes: number): CommitStore {
  const rows = Array.from({ length: lanes }, (): StoredCommit[] => []);
  const byId = new Map<string, StoredCommit>();
  const streams = new Map<string, Stream>();
  // Neither a tenant nor a name can contain NUL (see draft).
  const key = (tenant: string, name: string): string => `${tenant}\0${name}`;

  return {
    lanes,
    // Nothing can fail halfway in memory, so there is nothing to undo.
    begin: () => undefined,
    commit: () => undefined,
    rollback: () => undefined,
    close: () => undefined,
    head: (lane) => rows[lane]?.at(-1) ?? { position: 0, commitId: '' },
    version: (tenant, stream) => streams.get(key(tenant, stream))?.version ?? 0,
    find: (tenant, commitId) => byId.get(key(tenant, commitId)),
    range: (lane, from, limit) => (rows[lane] ?? []).slice(from - 1, from - 1 + limit),
    insert(commit) {
      const id = key(commit.tenant, commit.commitId);
      if (byId.has(id)) return false;
      byId.set(id, commit);
      rows[commit.lane]!.push(commit);
      for (const touched of commit.streams) {
        const name = key(commit.tenant, touched.id);
        const stream = streams.get(name) ?? { version: 0, commits: [] };
        stream.version = touched.after;
        stream.commits.push(commit);
        streams.set(name, stream);
      }
      return true;
    },
    touching(tenant, names, after) {
      const found = new Map<number, StoredCommit>();
      for (const name of names)
        for (const commit of streams.get(key(tenant, name))?.commits ?? [])
          if (commit.streams.some((touched) => touched.id === name && touched.after > after))
            found.set(commit.position, commit);
      return [...found.values()].sort((a, b) => a.position - b.position);
    },
  };
}
