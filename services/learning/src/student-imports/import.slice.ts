import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { importEvents, importRowsEvents } from './import.events.ts';
import { importOperations } from './import.http.ts';
import { isForgettingOfRows } from './import.kept.ts';
import { importProjection } from './import.projection.ts';
import { requestImport } from './import.request.ts';
import { importDecider, importRows } from './import.ts';
import { workingReaction } from './import.working.ts';

/** Students who come from a file. */
export const importSlice: Slice = {
  name: 'student-imports',
  operations: [requestImport, ...importOperations],
  events: { ...importEvents, ...importRowsEvents },
  aggregates: [aggregate(streamsOf('import_'), importDecider), aggregate(streamsOf('import_rows_'), importRows)],
  projections: [importProjection],
  reactions: [workingReaction],
  // Rows are about others, and go when the import is over; what came of them stands in the data of those people.
  personalData: [],
  isPrivate: ({ stream }) => isForgettingOfRows(stream),
};
