import type { Ports } from '@lyceum/web';
import { directory } from './directory.projection.ts';
import { platformTenant } from './entry.ts';
import { settle } from './provisioning.ts';

/** Settles the entries that an earlier process left between the directory and the school's own tenant. */
export async function settleAll(ports: Ports): Promise<void> {
  const where = [{ field: 'settled', is: false }];
  for (let more = true, after: string | undefined; more;) {
    const page = await ports.documents.query(directory, platformTenant, {
      where,
      limit: 100,
      ...(after === undefined ? {} : { after: { value: after, id: after } }),
    });
    for (const { id } of page.items) await settle(ports, id);
    after = page.items.at(-1)?.id;
    more = page.more;
  }
}
