export * from './module.ts';
export { type DomainService, type Slice, domainModule } from './domain.ts';
export { type Cross } from './envelope.ts';
export { publishFacts } from './publish.ts';
export { followProjection, projectLog } from './projecting.ts';
export { type OwnProjections, type Projected, projectOwn } from './own-projections.ts';
export { type Arrival, followFacts } from './follow.ts';
export { checkOrigin, isLoopback } from './origin.ts';
export { keepSecret, readSecret } from './kept-secret.ts';
export { documentSnapshots } from './document-snapshots.ts';
export { StartRefused } from './refusal.ts';
export { type DescribedSetting, describedSettings } from './described-settings.ts';
export { type RunOptions, run } from './run.ts';
export { type Preparation } from './boot.ts';
export { type OperatorOptions, operatorApp } from './operator.ts';
export {
  type Arrivable,
  type Arriving,
  type Asked,
  type Moving,
  type Place,
  type SchoolPlaces,
} from './moving/moving.ts';
export { type Aggregate, aggregate, streamNamed, streamsOf } from './moving/aggregate.ts';
export { type Assembly } from './assembly.ts';
export { type ProcessSettings, reasonForNoDemo } from './settings.ts';
export { type Contender, type LeaseTimes, type Leases, type Work, documentLeases, soleLeases } from './leases.ts';
export { setHeaders } from './answer.ts';
export { type StandingWork } from './standing-work.ts';
export { type Peer } from './peers.ts';
export { type ServiceRole, hasRole, serviceRoles } from './roles.ts';
export { serviceTokenHeader } from './service-token.ts';
export { ownPartOfDemo } from './own-demo.ts';
export { erasureFact, writeErasure } from './erasure-fact.ts';
export { type Order, type ProcessInput, type ProcessManager, type Reaction, processStream } from './process/process.ts';
export { type ProcessOptions, type RunningProcess, runProcess } from './process/run-process.ts';
export { type Managing, type SliceProcess, startProcess } from './process/slice-process.ts';
export { type PendingTimer, type StuckProcess } from './process/process-index.ts';
export { type Ask, type Question } from './asking.ts';
export { type Duty, startDuty } from './duty.ts';
export { type FactHistory, type Told } from './fact-history.ts';
export { type Invitation, openInvitation, sealInvitation } from './invitation.ts';
