import { type Folded, fold } from '@lyceum/eventlog';
import type { AskingPorts } from '@lyceum/service';
import { type Call, type Ports, Problem, type Reply, type StatusTable, type View, asOf } from '@lyceum/web';
import { likingOf } from '../../comment-liking/liking.ts';
import { type CommentHost, type FindPost, findHost } from '../../hosts/host.ts';
import { shownPeople } from '../../people/people.ts';
import { type Comment, isGone } from '../comment.state.ts';
import { type CommentCode, commentDecider } from '../comment.ts';
import { commentDocument } from './comment.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const commentRejections = { not_found: 404, invalid_state: 409 } as const satisfies StatusTable<CommentCode>;

/** What the operations on comments work with. */
export interface CommentPorts extends AskingPorts, Pick<Ports, 'log' | 'documents'> {
  readonly findPost: FindPost;
}

/** Who asks. */
export type CommentCall = Pick<Call, 'school' | 'issuer' | 'principal' | 'at'>;

/** A comment as of now, and the host that it is about. */
export interface LoadedComment extends Omit<Folded<Comment>, 'state'> {
  readonly id: string;
  readonly comment: Comment;
  readonly host: CommentHost;
}

/** How much of a comment somebody sees. */
export const viewOfComment = ({ principal }: Pick<Call, 'principal'>, { manages }: CommentHost): View =>
  principal ? (manages ? 'staff' : 'member') : 'anonymous';

/** Whether somebody may know of a comment on a host that they may know of. */
function mayKnow({ principal }: Pick<Call, 'principal'>, comment: Comment, host: CommentHost): boolean {
  if (host.manages) return true;
  if (principal && comment.author_id === principal.subject) return comment.state !== 'deleted';
  return (principal ? host.isOpen : host.isPublic) && comment.state === 'visible' && !isGone(comment);
}

/** A comment that somebody may know of. Throws 404 otherwise. */
export async function loadComment(ports: CommentPorts, call: CommentCall, id: string): Promise<LoadedComment> {
  const { state: comment, ...found } = await fold(ports.log, commentDecider, call.school, id);
  if (!comment) throw new Problem('not_found');
  const host = await findHost(call, ports, ports.findPost, comment.host_id);
  if (!host || !mayKnow(call, comment, host)) throw new Problem('not_found');
  return { ...found, id, comment, host };
}

/** Comments as somebody sees them, with their authors and likes as of now. */
export async function shownComments(
  ports: CommentPorts,
  call: CommentCall,
  found: readonly { readonly id: string; readonly comment: Comment; readonly view: View }[],
) {
  const reader = call.principal?.subject;
  const authors = found.filter(({ comment }) => !isGone(comment)).map(({ comment }) => comment.author_id);
  const ids = found.map(({ id }) => id);
  const [people, liking] = await Promise.all([
    shownPeople(ports, call, authors),
    likingOf(ports, call.school, ids, reader),
  ]);
  return found.map(({ id, comment, view }) => commentDocument(id, comment, view, { people, liking, reader }));
}

/** The answer about one comment. */
export async function commentAnswer(
  ports: CommentPorts,
  call: CommentCall,
  { id, comment, host, ...found }: LoadedComment,
): Promise<Reply> {
  const [body] = await shownComments(ports, call, [{ id, comment, view: viewOfComment(call, host) }]);
  const { version, observed } = asOf(found);
  // Authors and likes change without a new version.
  return { body, version, observed, fleeting: true };
}
