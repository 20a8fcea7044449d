import { CheckpointFenced, type Collection, type Documents, rowAs } from '@lyceum/documents';
import type { Snapshot, Snapshots } from '@lyceum/eventlog';

const snapshots: Collection = { name: 'snapshots', version: 1, fields: {} };

/**
 * Snapshots of streams beside the read models of their service: one document each, replaced by newer ones. When two
 * processes save at once, one of the two is kept.
 */
export async function documentSnapshots(documents: Documents): Promise<Snapshots> {
  await documents.open(snapshots);
  return {
    async load(tenant, stream) {
      return rowAs<Snapshot>(await documents.get(snapshots, tenant, stream));
    },
    async save(tenant, stream, snapshot) {
      const source = `${tenant} ${stream}`;
      const before = await documents.checkpoint(snapshots, source, 0);
      const write = { tenant, id: stream, body: { ...snapshot } };
      try {
        await documents.apply(snapshots, source, 0, before, Math.max(before, snapshot.version), [write]);
      } catch (error) {
        if (!(error instanceof CheckpointFenced)) throw error;
      }
    },
  };
}
