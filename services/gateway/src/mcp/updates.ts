import { type ModulePorts, followFacts } from '@lyceum/runtime';

/** Which resources a fact of the catalogue changes; empty when none. */
function changedBy({ type, data }: { readonly type: string; readonly data: unknown }): readonly string[] {
  if (!/^(?:Course|Curriculum|Lesson|Lecturer|DigitalProduct)/.test(type)) return [];
  const { slug } = (data ?? {}) as { slug?: unknown };
  const kind = type.startsWith('Course') ? 'courses' : type.startsWith('Lecturer') ? 'lecturers' : undefined;
  const own = kind !== undefined && typeof slug === 'string' ? [`school://${kind}/${slug}`] : [];
  return ['school://catalog', 'school://pricing', ...own];
}

/** Tells listeners of every fact of the catalogue, by the addresses of the resources that it changes. */
export const followCatalogue = (
  ports: Pick<ModulePorts, 'channel'>,
  changed: (school: string, uris: readonly string[]) => void,
): ReturnType<typeof followFacts> =>
  followFacts(ports, 'catalog', 'gateway.mcp', ({ tenant, fact }) => changed(tenant, changedBy(fact)));
