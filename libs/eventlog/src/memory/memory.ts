import { embeddedEventLog } from '../embedded/embedded.ts';
import { checkLanes, defaultLanes } from '../lane.ts';
import type { EventLog } from '../port.ts';
import { RecentCommits } from '../embedded/recent.ts';
import type { CommitStore, LaneHead, StoredCommit } from '../storage/store.ts';

/**
 * An event log in the memory of this process, for tests and trials: it ends with the process. Events are kept as JSON,
 * so no object is shared between writers and readers. `lanes` is 16 when not given.
 */
export function memoryEventLog({ lanes = defaultLanes }: { lanes?: number } = {}): EventLog {
  return embeddedEventLog(memoryStore(checkLanes(lanes)));
}

function memoryStore(lanes: number): CommitStore {
  const commits = new RecentCommits();
  const versions = new Map<string, number>();
  const heads: LaneHead[] = Array.from({ length: lanes }, () => ({ position: 0, commitId: '' }));
  return {
    lanes,
    // Nothing can fail halfway in memory, so there is nothing to undo.
    begin: () => undefined,
    write: () => void commits.seal(0),
    commit: () => undefined,
    sync: () => Promise.resolve(),
    rollback: () => undefined,
    close: () => undefined,
    head: (lane) => heads[lane] ?? { position: 0, commitId: '' },
    version: (tenant, stream) => versions.get(`${tenant}\0${stream}`) ?? 0,
    find: (tenant, commitId) => commits.find(tenant, commitId),
    range: (lane, from, limit) => commits.range(lane, from, limit),
    insert(commit) {
      commits.add(commit);
      for (const { id, after } of commit.streams) versions.set(`${commit.tenant}\0${id}`, after);
      heads[commit.lane] = { position: commit.position, commitId: commit.commitId };
    },
    touching(tenant, names, after) {
      const found = new Map<number, StoredCommit>();
      for (const name of names)
        for (const commit of commits.touching(tenant, name, after)) found.set(commit.position, commit);
      return [...found.values()].sort((a, b) => a.position - b.position);
    },
  };
}
