import type { FactSource } from '@lyceum/contracts';
import { type Collection, type Documents, rowAs } from '@lyceum/documents';
import type { ModulePorts } from '@lyceum/service';
import { type MarkRow, markId } from '../figures/figures-over.ts';

/** A source of figures, and the read model of what it published. */
export interface Source {
  readonly source: FactSource;
  readonly collection: Collection;
}

type Ports = Pick<ModulePorts, 'history' | 'logger'> & { readonly documents: Pick<Documents, 'get'> };

/**
 * Up to when all that a service published of a school is in the figures (RFC 3339); null = nothing has arrived. `now`: when
 * it was asked. Where the service cannot be asked, the time of the last fact that has arrived.
 */
export async function watermarkOf(
  { documents, history, logger }: Ports,
  { source, collection }: Source,
  school: string,
  now: string,
): Promise<string | null> {
  const mark = rowAs<MarkRow>(await documents.get(collection, school, markId));
  try {
    const missing = await history?.(source)?.after(school, mark?.position ?? 0, 1);
    if (!missing) return mark?.at ?? null;
    const [first] = missing.published;
    if (first) return first.at;
    return missing.more ? (mark?.at ?? null) : now;
  } catch (err) {
    logger.warn({ err, source }, 'a service does not say how far its facts go');
    return mark?.at ?? null;
  }
}
