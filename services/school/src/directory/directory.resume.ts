import type { ModulePorts } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { directory } from './directory.projection.ts';
import { platformTenant } from './entry.ts';
import { settle } from './provisioning.ts';

/** Settles the entries that an earlier process left between the directory and the school's own tenant. */
export async function settleAll(ports: Ports & Pick<ModulePorts, 'logger'>): Promise<void> {
  const where = [{ field: 'settled', is: false }];
  for (let more = true, after: string | undefined; more;) {
    const page = await ports.documents.query(directory, platformTenant, {
      where,
      limit: 100,
      ...(after === undefined ? {} : { after: { value: after, id: after } }),
    });
    for (const { id } of page.items)
      // One school that cannot be settled is hidden for longer; the others do not wait for it.
      await settle(ports, id).catch((err: unknown) =>
        ports.logger.error({ err, school: id }, 'a school cannot be settled'),
      );
    after = page.items.at(-1)?.id;
    more = page.more;
  }
}
