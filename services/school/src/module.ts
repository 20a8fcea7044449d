import { routesOf } from '@lyceum/contracts';
import { aggregate, domainModule, fileSlice, streamNamed } from '@lyceum/service';
import { appearanceSlice } from './appearance/appearance.slice.ts';
import { avatarSlice } from './avatars/avatar.slice.ts';
import { seedSchools } from './directory/directory.demo.ts';
import { arrivalSlice, arrived } from './arrival/arrival.slice.ts';
import { schoolMoving } from './moving/school-moving.ts';
import { listSchools, provisionSchool, readSchool } from './directory/directory.http.ts';
import { directoryProjection } from './directory/directory.projection.ts';
import { entryEvents } from './directory/entry.events.ts';
import { settleAll } from './directory/directory.resume.ts';
import { checkingDomains } from './domain-checking/domain.checking.ts';
import { domainsOfSchool } from './domains/domain.http.ts';
import { type DomainSettings, domainSettings } from './domains/domain.settings.ts';
import { domainHolderSlice, domainSlice } from './domains/domain.slice.ts';
import { invitationLink } from './invitations/invitation.sending.ts';
import { invitationSlice } from './invitations/invitation.slice.ts';
import { type ErasureRequestSettings, erasureRequestSettings } from './leaving/erasure-request.settings.ts';
import { erasureRequestSlice } from './leaving/erasure-request.slice.ts';
import { memberQuerySlice } from './member-queries/member-query.slice.ts';
import { memberSlice } from './members/member.slice.ts';
import { membershipSlice } from './membership/membership.slice.ts';
import { notificationSlice } from './notifications/notification.slice.ts';
import { memberOperatorOperations } from './operator-api/members.http.ts';
import { staffDecider, staffStream } from './staff/staff.ts';
import { staffEvents } from './staff/staff.events.ts';
import { schoolSlice } from './school/school.slice.ts';

/** Schools: their place on the platform, their address, what the public may know of them. */
export const school = domainModule<DomainSettings & ErasureRequestSettings>({
  name: 'school',
  routes: routesOf('school'),
  settings: domainSettings.extend(erasureRequestSettings.shape),
  arrived,
  slices: [
    {
      name: 'directory',
      operations: [],
      events: entryEvents,
      internal: [provisionSchool, listSchools, readSchool],
      projections: [directoryProjection],
      // What is personal of an entry is about the school; its owner is a member as others are.
      personalData: [],
      resume: settleAll,
      seedDemo: seedSchools,
      moving: schoolMoving,
    },
    arrivalSlice,
    schoolSlice(domainsOfSchool),
    { ...memberSlice, internal: (ports) => memberOperatorOperations(ports, invitationLink) },
    memberQuerySlice,
    membershipSlice,
    erasureRequestSlice,
    notificationSlice,
    avatarSlice,
    invitationSlice,
    fileSlice,
    appearanceSlice,
    { ...domainSlice, backgroundJobs: [checkingDomains] },
    domainHolderSlice,
    {
      name: 'staff',
      operations: [],
      events: staffEvents,
      aggregates: [aggregate(streamNamed(staffStream), staffDecider)],
    },
  ],
});
