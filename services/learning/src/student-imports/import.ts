import { type Decider, type Rejection, type SideEvent, reject } from '@lyceum/kernel';
import { type ImportEvent, importEvents, importRowsEvents } from './import.events.ts';
import { type ImportState, evolve } from './import.state.ts';

type Data<T extends ImportEvent['type']> = Extract<ImportEvent, { type: T }>['data'];

/** What can be asked of an import. */
export type ImportCommand =
  | {
      readonly type: 'RequestImport';
      readonly id: string;
      readonly request: Data<'ImportRequested'>;
      /** The rows as they are kept. */
      readonly kept: string;
    }
  /** Rows were worked on. `from`: how many were before. */
  | { readonly type: 'AdvanceImport'; readonly from: number; readonly advance: Data<'ImportAdvanced'> }
  | { readonly type: 'CancelImport'; readonly by: string }
  | { readonly type: 'ExpireImport' };

/** What a command can be rejected for. */
export type ImportCode = 'not_found' | 'invalid_state' | 'import_running';

type Decision = readonly ImportEvent[] | Rejection<ImportCode>;

/** The stream of the rows of an import. */
export const importRowsStream = (id: string): string => id.replace(/^import_/, 'import_rows_');

/** Holds the one place that a school has for imports: two that run side by side would only wait for each other. */
const place = { kind: 'student_import', value: 'running' } as const;

function decide(command: ImportCommand, state: ImportState): Decision {
  if (command.type === 'RequestImport') {
    if (state) return reject('invalid_state', 'The import exists already');
    return [{ type: 'ImportRequested', data: command.request }];
  }
  if (!state) return reject('not_found', 'There is no such import');
  switch (command.type) {
    case 'AdvanceImport': {
      // Written down already; or nothing was left to do.
      if (state.done !== command.from) return [];
      const isOver = state.status !== 'running';
      const events: ImportEvent[] =
        command.advance.done > state.done ? [{ type: 'ImportAdvanced', data: command.advance }] : [];
      // What was done while somebody cancelled it is done all the same.
      if (!isOver && command.advance.done >= state.rows) events.push({ type: 'ImportCompleted', data: {} });
      return events;
    }
    case 'CancelImport':
      if (state.status === 'cancelled') return [];
      if (state.status !== 'running') return reject('invalid_state', `The import is ${state.status} already`);
      return [{ type: 'ImportCancelled', data: { by: command.by } }];
    case 'ExpireImport':
      return state.status === 'running' ? [{ type: 'ImportExpired', data: {} }] : [];
  }
}

/** The rows, in the commit of the request. */
const keptRows = (id: string, rows: string): SideEvent => ({
  stream: importRowsStream(id),
  type: 'ImportRowsKept',
  schema: importRowsEvents.ImportRowsKept.version,
  data: { import_id: id, rows },
});

/** An import: the stream is its id. One of a school runs at a time. */
export const importDecider: Decider<ImportState, ImportCommand, ImportEvent, ImportCode> = {
  events: importEvents,
  initial: null,
  decide,
  evolve,
  claims: ({ type }) => (type === 'ImportRequested' ? [{ ...place, rejected: 'import_running' }] : []),
  releases: ({ type }) =>
    type === 'ImportCompleted' || type === 'ImportCancelled' || type === 'ImportExpired' ? [place] : [],
  sideEvents: (_before, _after, command) =>
    command.type === 'RequestImport' ? [keptRows(command.id, command.kept)] : [],
};

/** The rows of an import are kept, and nothing is made of them. */
export const importRows = { events: importRowsEvents, initial: null, evolve: () => null } as const;
