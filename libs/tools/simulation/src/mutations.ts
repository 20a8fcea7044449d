import type { Patch } from './running/patches.ts';
import type { FaultKind } from './plan.ts';

/** A fault put back into the code, by the name that the review of the event log gave it. */
export interface Mutation {
  readonly name: string;
  /** What it does, in a few words. */
  readonly what: string;
  /** None where the simulation itself does it: by an argument that it leaves out, or by how it puts a store back. */
  readonly patches: readonly Patch[];
  /** What must go wrong for it to do harm: other seeds are passed over. */
  readonly needs: readonly FaultKind[];
  /** Where the search begins, near a seed that has found it: it saves time. Absent: the tests do not look for it. */
  readonly first?: number;
}

const knownEvents = 'service/dist/known-events.js';
const laneProjector = 'documents/dist/projector/lane-projector.js';
const workPool = 'service/dist/reactions/work-pool.js';

/** Refuses an event as soon as it is met, as often as an event may be, before the next one is looked at. */
const oneAtATime = `refusals.push(refused);
  const times = ((this.times ??= new Map()).get(refused.event.position) ?? 0) + 1;
  this.times.set(refused.event.position, times);
  if (times < this.#options.tries) throw refused.cause;`;

export const mutations: readonly Mutation[] = [
  { name: 'nothing', needs: [], what: 'every seed counts as one that found something: for a test', patches: [] },
  {
    name: 'A1',
    first: 764,
    needs: ['upgrade'],
    what: 'an old release passes over events that it does not know',
    patches: [{ file: knownEvents, from: 'return `this release does not know', to: 'return undefined && `' }],
  },
  {
    name: 'A2',
    first: 105,
    needs: ['restore-log'],
    what: 'a place in a log is a number alone',
    patches: [
      {
        file: 'kernel/dist/checkpoint.js',
        from: 'one === undefined || other === undefined || one === other',
        to: 'true',
      },
    ],
  },
  {
    name: 'A3',
    first: 457,
    needs: ['restore-keys'],
    what: 'how far a log was searched for erasures is not put back with the keys',
    patches: [],
  },
  {
    name: 'A4',
    first: 350,
    needs: ['slow-build'],
    what: 'nobody takes erased persons out of a read model while its successor is built',
    patches: [
      {
        file: 'documents/dist/read-model/running-read-model.js',
        from: ': followErasures(this.#options, live)',
        to: ': undefined',
      },
      {
        file: 'operations/dist/erasure/erasing.js',
        from: '(await started.purged?.(written, patience)) ?? true',
        to: 'true',
      },
    ],
  },
  {
    name: 'A5',
    first: 3275,
    needs: [],
    what: 'a held key stays when its erasure is read',
    patches: [
      {
        file: 'eventlog/dist/personal/encrypted-log.js',
        from: '            forgetErased(vault, commits);\n',
        to: '',
      },
    ],
  },
  { name: 'A6', first: 2, needs: [], what: 'processes on one store have no leases', patches: [] },
  {
    name: 'B1',
    first: 105,
    needs: ['skew'],
    what: 'moves of a school are ordered by the clocks of machines',
    patches: [
      {
        file: 'oauth/dist/trust/trust-state.js',
        from: 'position !== undefined && before?.position !== undefined && position < before.position',
        to: 'before !== undefined && Date.parse(at) < before.since',
      },
    ],
  },
  {
    name: 'C1',
    first: 335,
    needs: ['election'],
    what: 'a log believes that its newest commits are gone when a server does not show them',
    patches: [
      {
        file: 'eventlog/dist/mongodb/mongodb-lane.js',
        from: 'if (!stored && head.position > 0 && (await this.#isSameEpoch()))',
        to: 'if (false)',
      },
    ],
  },
  {
    name: 'C2',
    first: 973,
    needs: ['poison'],
    what: 'streams that break in a batch are tried and parked one after the other',
    patches: [
      { file: laneProjector, from: 'refusals.push(refused);', to: oneAtATime },
      { file: laneProjector, from: '        this.#throwUnlessTried(refusals);\n', to: '' },
    ],
  },
  {
    name: 'C3',
    first: 970,
    needs: ['upgrade'],
    what: 'an old release parks streams with versions that it does not know, and nobody redrives them',
    patches: [
      { file: knownEvents, from: 'return schema > known ?', to: 'return false ?' },
      { file: laneProjector, from: 'cause instanceof UnknownEvent', to: 'false' },
      { file: 'documents/dist/read-model/followed.js', from: "parked.error.startsWith('UnknownEvent: ')", to: 'false' },
    ],
  },
  {
    name: 'C4',
    first: 687,
    needs: ['slow-receiver'],
    what: 'what follows from events is done one after the other, whosesoever it is',
    patches: [
      {
        file: workPool,
        from: '        const { tenant } = work;\n        const id',
        to: "        const tenant = 'all';\n        const id",
      },
      { file: workPool, from: 'const id = idOf(tenant, work.key);', to: "const id = idOf(tenant, '');" },
    ],
  },
];
