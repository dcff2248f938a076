/** Whose an order is: a buyer has the links of some, and is to see and change nothing of the others. */
import type { Pool } from '#db/engine/dialect.ts';
import type { Request } from './request.ts';
import type { Reply } from './send.ts';
import type { Change } from './watch.ts';

export class Orders {
  readonly own: readonly string[];
  /** What opens them. */
  readonly links: readonly string[];
  /** Ids of orders and tickets, and addresses, that are others'. */
  readonly #others: readonly string[];

  private constructor(
    own: readonly string[],
    { links, others }: { links: readonly string[]; others: readonly string[] },
  ) {
    this.own = own;
    this.links = links;
    this.#others = others;
  }

  static async read(db: Pool, own: readonly string[]): Promise<Orders> {
    const orders = db('orders').whereNotIn('id', own);
    const lists: (string | null)[][] = await Promise.all([
      orders.clone().pluck('id'),
      orders.clone().pluck('link_key'),
      orders.clone().pluck('buyer_email'),
      db('tickets').whereNotIn('order_id', own).pluck('id'),
    ]);
    const mine = new Set<string | null>(await db('orders').whereIn('id', own).pluck('buyer_email'));
    const others = lists.flat().filter((value) => value !== null && !mine.has(value));
    const links: string[] = await db('orders').whereIn('id', own).pluck('link_key');
    return new Orders(own, { links, others: others as string[] });
  }

  trespasses({
    changes,
    request,
    reply,
  }: {
    changes: readonly Change[];
    request: Request;
    reply: Reply;
  }): string[] {
    const said = `${request.target} ${request.body?.toString('utf8') ?? ''}`;
    const shown = this.#others.filter((id) => reply.text.includes(id) && !said.includes(id));
    return [
      ...changes
        .filter(({ order_id }) => order_id !== null && !this.own.includes(order_id))
        .map(({ table_name }) => `another buyer's order changed: ${table_name}`),
      ...shown.map((id) => `another buyer's ${id} is shown`),
    ];
  }
}
