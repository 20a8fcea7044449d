/** A price of an item, in minor units. */
export interface ItemPrice {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
}

/** A course or a digital product as the catalog service published it, or an event of the calendar. `draft`: it never was public. */
export interface KnownItem {
  readonly item_type: 'course' | 'digital_product' | 'event';
  readonly status: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly title: string;
  readonly slug: string;
  readonly access: string;
  /** Drafts have prices too. */
  readonly prices: readonly ItemPrice[];
  /** Whether lists have it; what they do not have is found by its slug. */
  readonly listed: boolean;
  /** Days that access lasts; null = for ever. */
  readonly access_days: number | null;
  /** null = no limit. */
  readonly seat_limit: number | null;
  /** When people may enroll, and from when on they may buy before that (RFC 3339 UTC); null = no bound. */
  readonly opens_at: string | null;
  readonly closes_at: string | null;
  readonly presale_opens_at: string | null;
}
