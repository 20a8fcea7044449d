import type { Commit } from '@lyceum/eventlog';

/** What a checker found wrong. Empty: every promise was kept. */
export type Faults = string[];

/**
 * Checks the commits of one log, lane by lane: positions contiguous from 1, each naming its predecessor; versions of
 * every stream contiguous from 1, in its commits and in their events; no commit id twice.
 */
export function checkLanes(lanes: readonly (readonly Commit[])[], faults: Faults): void {
  const ids = new Set<string>();
  lanes.forEach((commits, lane) => {
    const versions = new Map<string, number>();
    commits.forEach((commit, index) => {
      const where = `lane ${lane} position ${commit.position}`;
      if (commit.lane !== lane || commit.position !== index + 1) faults.push(`${where} stands at place ${index + 1}`);
      if (commit.prev !== (commits[index - 1]?.commitId ?? '')) faults.push(`${where} follows ${commit.prev}`);
      const id = `${commit.tenant} ${commit.commitId}`;
      if (ids.has(id)) faults.push(`${where} is a second ${id}`);
      ids.add(id);
      checkStreams(commit, versions, where, faults);
    });
  });
}

function checkStreams(commit: Commit, versions: Map<string, number>, where: string, faults: Faults): void {
  for (const { id, before, after } of commit.streams) {
    const key = `${commit.tenant} ${id}`;
    const own = commit.events.filter(({ stream }) => stream === id).map(({ version }) => version);
    const wanted = own.map((_, index) => before + index + 1);
    if (before !== (versions.get(key) ?? 0)) faults.push(`${where} takes ${key} from version ${before}`);
    if (after !== before + own.length || String(own) !== String(wanted))
      faults.push(`${where} has versions ${String(own)} of ${key}, from ${before} to ${after}`);
    versions.set(key, after);
  }
}

/** The versions that the streams have after these commits, by `<tenant> <stream>`. */
export function headsOf(commits: readonly Commit[]): ReadonlyMap<string, number> {
  const heads = new Map<string, number>();
  for (const { tenant, streams } of commits) for (const { id, after } of streams) heads.set(`${tenant} ${id}`, after);
  return heads;
}
