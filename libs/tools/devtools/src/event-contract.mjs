// The contract of integration events: docs/integration-events/asyncapi.json against the one of the last landed release,
// which is kept beside it. `npm run check` calls contractProblems. Once another commit stands in last-release.txt,
// `npm run contract` keeps the document of that commit.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { gone, widenings } from './schema-widening.mjs';

const document = 'docs/integration-events/asyncapi.json';
const kept = 'docs/integration-events/last-release.json';
const landed = 'libs/tools/crashtest/last-release.txt';

const declared = 'libs/contracts/src/integration-events';

/** What breaks readers of the release before, as sentences. Empty = nothing. Documents are AsyncAPI. */
export function breaks(before, now) {
  return Object.entries(before.channels).flatMap(([source, topic]) => {
    const present = now.channels[source];
    if (!present)
      return [
        `topic ${topic.address} is gone, and readers of the last release wait for it: keep the service in \`facts\``,
      ];
    const moved =
      present.address === topic.address
        ? []
        : [
            `topic ${topic.address} is called ${present.address} now, where no reader of the last release looks: keep its name`,
          ];
    const events = Object.entries(topic.messages).flatMap(([type, { $ref }]) =>
      eventBreaks({ source, type, before, now }, at(before, $ref), at(now, present.messages[type]?.$ref)),
    );
    return [...moved, ...events];
  });
}

function eventBreaks({ source, type, before, now }, old, present) {
  const name = `${source}.${type}`;
  if (!present)
    return [
      `${name} is gone, and readers of the last release wait for it: keep its declaration in ${declared}, and go on publishing it until no reader needs it`,
    ];
  const key = ({ bindings }) => JSON.stringify([bindings?.kafka?.key?.type, bindings?.kafka?.key?.title]);
  const problems = [];
  if (key(old) !== key(present))
    problems.push(
      `${name} has another key, so records of a school change their order: keep ${old.bindings.kafka.key.title}`,
    );
  const headers = widenings(headersOf(before, old), headersOf(now, present));
  problems.push(...headers.map(({ field, what }) => `${name}: header ${field} ${what}: keep it as readers know it`));
  const [then, version] = [versionOf(old), versionOf(present)];
  if (version < then)
    problems.push(
      `${name} has version ${version} and had ${then}: versions only grow, or readers take it for what it was`,
    );
  if (version !== then) return problems;
  const next = `give ${type} version ${version + 1} and an upcaster from v${version} in ${declared}, or publish what is new in a field or an event of its own`;
  const [past, schema] = [payloadOf(before, old), payloadOf(now, present)];
  const wider = widenings(past, schema);
  const narrower = widenings(schema, past).filter(
    ({ field, what }) => what !== gone && !wider.some((found) => found.field === field),
  );
  return [
    ...problems,
    ...wider.map(({ field, what }) => `${name} v${version}: ${field} ${what}: ${next}`),
    ...narrower.map(
      ({ field }) =>
        `${name} v${version}: ${field} is narrower now, and topics still hold what the last release published: ${next}`,
    ),
  ];
}

const payloadOf = (root, { payload }) => at(root, payload.$ref) ?? payload;

/** What a reference leads to; undefined when there is none. */
const at = (root, reference) =>
  reference
    ?.slice(2)
    .split('/')
    .reduce((found, name) => found?.[name], root);

/** The headers of a message as one schema; what names type and version is judged apart. */
function headersOf(root, { headers }) {
  const parts = headers.$ref ? [at(root, headers.$ref)] : headers.allOf.map(({ $ref }) => at(root, $ref));
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
  };
}

const versionOf = ({ headers }) => Number(/:(\d+)$/.exec(headers.properties?.ce_dataschema?.const ?? ':1')[1]);

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** What is wrong with the contract as it stands in the files, as sentences. Empty = nothing. */
export function contractProblems() {
  const { release, document: before } = read(kept);
  const last = readFileSync(landed, 'utf8').trim();
  if (release !== last)
    return [
      `${kept} is of ${release}, and the last release is ${last}: npm run contract keeps the document of that one`,
    ];
  return breaks(before, read(document));
}

/** Keeps the document of the last landed release. */
function keep() {
  const release = readFileSync(landed, 'utf8').trim();
  const { status, stdout, stderr } = spawnSync('git', ['show', `${release}:${document}`], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`the document of ${release} cannot be read: ${stderr.trim()}`);
  writeFileSync(kept, `${JSON.stringify({ release, document: JSON.parse(stdout) }, null, 2)}\n`);
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  keep();
  for (const problem of contractProblems()) console.error(problem);
}
