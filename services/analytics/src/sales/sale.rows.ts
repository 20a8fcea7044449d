import type { FactOf } from '@lyceum/contracts';
import { type Collection, eventGuard } from '@lyceum/documents';
import type { Editing } from '../figures/changes.ts';
import { figuresOver } from '../figures/figures-over.ts';
import { SaleFold } from './sale.fold.ts';

type SaleFact = Extract<
  FactOf<'commerce'>,
  {
    type:
      | 'OrderPlaced'
      | 'OrderPaid'
      | 'OrderRefunded'
      | 'OrderRefundReversed'
      | 'OrderDisputed'
      | 'OrderDisputeResolved'
      | 'CouponRedeemed';
  }
>;

const isSaleFact = eventGuard<SaleFact>(
  'OrderPlaced',
  'OrderPaid',
  'OrderRefunded',
  'OrderRefundReversed',
  'OrderDisputed',
  'OrderDisputeResolved',
  'CouponRedeemed',
);

function applied(fold: SaleFold, fact: SaleFact): Editing {
  switch (fact.type) {
    case 'OrderPlaced':
      return fold.placed(fact.data);
    case 'OrderPaid':
      return fold.paid(fact.data);
    case 'OrderRefunded':
      return fold.refunded(fact.data);
    case 'OrderRefundReversed':
      return fold.reversed(fact.data);
    case 'OrderDisputed':
      return fold.disputed(fact.data);
    case 'OrderDisputeResolved':
      return fold.resolved(fact.data);
    case 'CouponRedeemed':
      return fold.redeemed(fact.data);
  }
}

/** What orders and coupons brought on each day, and of each order what later facts about it need. */
export const sales: Collection = { name: 'sales', version: 1, fields: {} };

/** Keeps the figures of sales. */
export const salesFigures = figuresOver('commerce', sales, (changes, fact, day) =>
  isSaleFact(fact) ? applied(new SaleFold(changes, day, fact.at), fact) : undefined,
);
