import { factsOf } from '@lyceum/contracts';
import { isObject } from '@lyceum/kernel';
import { type ModulePorts, followFacts } from '@lyceum/service';

/** Which resources a fact of the catalogue changes; empty when none, as for prices, seats and lecturers, which drafts have. */
function changedBy({ type, data }: { readonly type: string; readonly data: unknown }): readonly string[] {
  if (!factsOf('catalog')[type]?.offer) return [];
  const { slug } = isObject(data) ? data : {};
  const own = type.startsWith('Course') && typeof slug === 'string' ? [`school://courses/${slug}`] : [];
  return ['school://catalog', 'school://pricing', 'school://llms', ...own];
}

/** Tells listeners of every fact of the catalogue, by the addresses of the resources that it changes. */
export const followCatalogue = (
  ports: Pick<ModulePorts, 'channel'>,
  changed: (school: string, uris: readonly string[]) => void,
): ReturnType<typeof followFacts> =>
  followFacts(ports, 'catalog', 'gateway.mcp', ({ tenant, fact }) => changed(tenant, changedBy(fact)));
