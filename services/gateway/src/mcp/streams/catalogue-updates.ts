import { factsOf } from '@lyceum/contracts';
import { isObject } from '@lyceum/kernel';
import { type ModulePorts, followNews } from '@lyceum/service';

const sources = ['catalog', 'commerce', 'content'] as const;

/** Which resources a fact changes; empty when none, as for prices, seats and lecturers, which drafts have. */
function changedBy(
  source: (typeof sources)[number],
  { type, data }: { readonly type: string; readonly data: unknown },
): readonly string[] {
  const offer = factsOf(source)[type]?.offer;
  if (!offer) return [];
  const { slug } = isObject(data) ? data : {};
  const named = (kind: string): readonly string[] => (typeof slug === 'string' ? [`school://${kind}/${slug}`] : []);
  const sold = ['school://pricing', 'school://llms'];
  if (offer === 'page' || offer === 'post') return ['school://llms', ...named(`${offer}s`)];
  if (offer === 'membership_plan') return [...sold, ...named('membership-plans')];
  if (offer === 'event') return sold;
  return ['school://catalog', ...sold, ...(type.startsWith('Course') ? named('courses') : [])];
}

/** Tells listeners of every new fact about what is offered and what the site has, by the addresses of the resources that it changes. */
export function followCatalogue(
  ports: Pick<ModulePorts, 'channel'>,
  changed: (school: string, uris: readonly string[]) => void,
): Pick<ReturnType<typeof followNews>, 'caughtUp' | 'close'> {
  const following = sources.map((source) =>
    followNews(ports, source, 'gateway.mcp', ({ tenant, fact }) => changed(tenant, changedBy(source, fact))),
  );
  return {
    caughtUp: async () => void (await Promise.all(following.map((each) => each.caughtUp()))),
    close: async () => void (await Promise.all(following.map((each) => each.close()))),
  };
}
