import { type Context, type Link, type SpanKind, TraceFlags, type Attributes } from '@opentelemetry/api';
import {
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/**
 * Samples what its parent samples, and of traces that begin here a ratio: all with links to sampled spans, since a batch
 * belongs to the traces of its messages.
 */
export const linkSampler = (ratio: number): Sampler => new ParentBasedSampler({ root: new LinkSampler(ratio) });

class LinkSampler implements Sampler {
  readonly #others: TraceIdRatioBasedSampler;

  constructor(ratio: number) {
    this.#others = new TraceIdRatioBasedSampler(ratio);
  }

  shouldSample(
    context: Context,
    traceId: string,
    _name: string,
    _kind: SpanKind,
    _: Attributes,
    links: Link[],
  ): SamplingResult {
    if (links.some((link) => (link.context.traceFlags & TraceFlags.SAMPLED) !== 0))
      return { decision: SamplingDecision.RECORD_AND_SAMPLED };
    return this.#others.shouldSample(context, traceId);
  }

  toString(): string {
    return `LinkSampler{${this.#others.toString()}}`;
  }
}
