// What is done about a vulnerability that is known of a package: docs/supply-chain.md says it for people.

const day = 86_400_000;

/** Days within which what ships has to be rid of a vulnerability, by severity; and whether nothing lands until then. */
export const policy = {
  critical: { days: 7, blocks: true },
  high: { days: 30, blocks: true },
  moderate: { days: 90, blocks: false },
  low: { days: 180, blocks: false },
  info: { days: 365, blocks: false },
};

const isDay = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toISOString().startsWith(text);

/** What an exception has to say, and what is wrong with a value. */
const fields = {
  advisory: (value) => (/^GHSA(-[23456789cfghjmpqrvwx]{4}){3}$/.test(value) ? '' : 'is no GHSA-xxxx-xxxx-xxxx'),
  package: (value) => (/^(@[\w.-]+\/)?[\w.-]+$/.test(value) ? '' : 'is no name of a package'),
  severity: (value) => (Object.hasOwn(policy, value) ? '' : `is none of ${Object.keys(policy).join(', ')}`),
  reason: (value) =>
    value.trim().length >= 20 ? '' : 'says too little: why it cannot be used here, or what is waited for',
  decided: (value) => (safely(isDay, value) ? '' : 'is no day (2026-01-31)'),
  expires: (value) => (safely(isDay, value) ? '' : 'is no day (2026-01-31)'),
};

/** The answer to a question about a value that may be no date at all. */
function safely(question, value) {
  try {
    return question(value);
  } catch {
    return false;
  }
}

/** What is wrong with recorded exceptions on a day, as sentences. Empty = nothing. `exceptions` is the parsed file. */
export function exceptionProblems(exceptions, today = new Date()) {
  if (!Array.isArray(exceptions)) return ['the exceptions are no list'];
  return exceptions.flatMap((exception, index) => {
    const called = `exception ${exception?.advisory ?? `number ${index + 1}`}`;
    const wrong = Object.entries(fields).flatMap(([field, judge]) => {
      const value = exception?.[field];
      const problem = typeof value === 'string' ? judge(value) : 'is missing';
      return problem === '' ? [] : [`${called}: ${field} ${problem}`];
    });
    const strange = Object.keys(exception ?? {}).filter((field) => !Object.hasOwn(fields, field));
    wrong.push(...strange.map((field) => `${called}: ${field} is not known`));
    return wrong.length > 0 ? wrong : timeProblems(called, exception, today);
  });
}

function timeProblems(called, { severity, decided, expires }, today) {
  const [from, to] = [new Date(decided), new Date(expires)];
  const { days } = policy[severity];
  // The day itself is still within the exception.
  if (to.getTime() + day <= today.getTime())
    return [`${called}: expired on ${expires}: mend it, or decide anew and say why`];
  if (from > today) return [`${called}: is decided on ${decided}, which is not yet`];
  if (to - from > days * day)
    return [`${called}: lasts until ${expires}, more than the ${days} days of severity ${severity}`];
  return [];
}

/** The advisories that a report of `npm audit --json` (version 2) names, each with the places of its package. */
const advisoriesOf = ({ vulnerabilities }) =>
  Object.values(vulnerabilities).flatMap(({ name, via, nodes }) =>
    via
      .filter((cause) => typeof cause === 'object')
      .map(({ url, severity, title, range }) => ({
        advisory: url.split('/').at(-1),
        package: name,
        severity,
        title,
        range,
        nodes,
      })),
  );

/**
 * What the policy makes of a report: what `blocks`, what is only to be told (`notes`), and exceptions that nothing needs any
 * more (`idle`). A package blocks that is shipped; one that only tests use is told.
 */
export function judge(report, exceptions, shipped) {
  const places = new Set(shipped);
  const used = new Set();
  const [blocks, notes] = [[], []];
  for (const found of advisoriesOf(report)) {
    const what = `${found.severity} ${found.package} ${found.range}: ${found.title} (${found.advisory})`;
    const exception = exceptions.find(
      (each) => each.advisory === found.advisory && each.package === found.package && each.severity === found.severity,
    );
    if (exception) used.add(exception);
    const { blocks: isGrave, days } = policy[found.severity] ?? policy.critical;
    if (exception) notes.push(`${what}: excepted until ${exception.expires}, ${exception.reason}`);
    else if (!found.nodes.some((place) => places.has(place))) notes.push(`${what}: only tests and tools use it`);
    else if (isGrave) blocks.push(`${what}: nothing lands before it is mended or excepted, for ${days} days at most`);
    else notes.push(`${what}: to be mended within ${days} days`);
  }
  return { blocks, notes, idle: exceptions.filter((each) => !used.has(each)).map(({ advisory }) => advisory) };
}
