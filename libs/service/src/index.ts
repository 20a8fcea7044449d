export { type AskingPorts, askFor } from './asking.ts';
export { type BackgroundJob } from './running/background-job.ts';
export { fileSlice } from './files/held-files.ts';
export { type KnownFile } from './files/known-files.ts';
export { type NamedFile, filesNamed, imageOf } from './files/named-files.ts';
export { addressed } from './files/shown-images.ts';
export {
  type Deliver,
  type Delivering,
  deliveryProcess,
  isOfDeliveries,
  receiptEvents,
  receipts,
} from './deliveries/delivery-process.ts';
export { type Outcome, sendMail } from './deliveries/sending.ts';
export { type ComposedMail, type MailContents, composeMail, filledText, oneLine } from './mails/mail.composing.ts';
export { dayIn, momentIn } from './mails/mail.moments.ts';
export { type Addressed, type Addressing, addressingOf } from './mails/mail.recipient.ts';
export { type Seller, sellerOf } from './mails/seller.ts';
export { documentSnapshots } from './projections/document-snapshots.ts';
export { domainModule } from './domain-module.ts';
export type { Endpoints, Following, Mirror, Slice } from './slice.ts';
export { knownEventsOf } from './known-events.ts';
export { documentLeases } from './running/document-leases/document-leases.ts';
export type { LeaseTimes } from './running/document-leases/lease-times.ts';
export { type Contender, type Leases, type Sharer, type Sharing, type Work, soleLeases } from './running/leases.ts';
export {
  type AnyModule,
  type CommonSettings,
  type Demo,
  type Module,
  type ModulePorts,
  type ResolveTxt,
  type Started,
} from './module.ts';
export { type Aggregate, aggregate, erasures, streamNamed, streamsOf } from './moving/aggregate.ts';
export {
  type Arrivable,
  type Arriving,
  type Asked,
  type Moving,
  type Place,
  type SchoolPlaces,
} from './moving/moving.ts';
export { answerPersonalData } from './personal-data/answering.ts';
export { forgetOwn } from './personal-data/forgetting.ts';
export { forRowsAbout, onlyRecord, rowsAbout } from './personal-data/rows-about.ts';
export {
  type PersonalData,
  type PersonalDataAnswer,
  type PersonalDataQuestion,
  personalDataAnswer,
  personalDataQuery,
} from './personal-data/personal-data.ts';
export { NeedsOperator } from './process/needs-operator.ts';
export { type OperatedProcess } from './process/operated-process.ts';
export { type Order, type ProcessManager, isProcessStream, processStream } from './process/process.ts';
export { type Managing, startProcess } from './process/slice-process.ts';
export { type RunningProcess, runProcess } from './process/run-process.ts';
export { followProjection, projectLog } from './projections/followed-projections.ts';
export type { Projected } from './projections/projected.ts';
export { projectOwn } from './projections/own-projections.ts';
export { type ToFact, envelopeOf } from './publishing/envelope.ts';
export { erasureFact, writeErasure } from './publishing/erasure-fact.ts';
export { type Arrival, followFacts, followNews } from './publishing/follow-facts.ts';
export { publishFacts } from './publishing/publish.ts';
export { republishedStream } from './publishing/republishing.ts';
export { type Pace, type Tenants, forEachTenant, inRounds } from './running/rounds.ts';
export { type Reaction, startReaction } from './reactions/reaction.ts';
export { type ServiceRole, hasRole, serviceRoles } from './roles.ts';
export { StartRefused } from './start-refused.ts';
export { type KeysInUse, type Consumed, Watch } from './running/watch.ts';
export { type Access, type Asking, authors, heads, keptBy, viewOfOwn } from './resource/access.ts';
export type { MemberAsking, Resource, ResourceDeclaration } from './resource/declaration.ts';
export { type Expander } from './resource/expander.ts';
export { type Loaded } from './resource/read.ts';
export { changesIn, mergePatch } from './resource/merge-patch.ts';
export { type ResourceKit, type ThingCall, type Wanted } from './resource/kit.ts';
export { resource } from './resource/resource.ts';
export { membersOf, paramsOf, staff } from './resource/schema.ts';
export { type Naming, createNamed, namingOf, reference } from './resource/text/slugs.ts';
export { UnguessableCodes } from './unguessable-codes.ts';
