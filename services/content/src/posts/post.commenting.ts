import { fold } from '@lyceum/eventlog';
import { heads } from '@lyceum/service';
import type { FindPost } from '../hosts/host.ts';
import { publicContent } from '../publication/publication.state.ts';
import { postForMember } from './post.entitlement.ts';
import { postDecider } from './post.ts';

/** A post as people comment on it: who reads its text comments on it, as long as it is public and takes comments. */
export const findPost: FindPost = async ({ school, principal }, ports, id) => {
  const { state: post } = await fold(ports.log, postDecider, school, id);
  if (!post) return undefined;
  const isTheirs = principal?.role === 'lecturer' && post.created_by === principal.subject;
  const manages = principal !== undefined && (heads.includes(principal.role) || isTheirs);
  const content = publicContent(post);
  if (!content) return manages ? { isPublic: false, isOpen: true, manages, isClosed: true } : undefined;
  const isPublic = content.visibility === 'public';
  const isForMembers = isPublic || content.visibility === 'members';
  const mayRead = async (member: string) =>
    isForMembers || (await postForMember(ports, { school, member }, post)) !== undefined;
  const isOpen = manages || (principal ? await mayRead(principal.subject) : isPublic);
  return { isPublic, isOpen, manages, isClosed: !post.comments_enabled };
};
