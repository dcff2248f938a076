/** Books of events: each route connects an endpoint to its use case. */
import * as books from '#server/contract/books.ts';
import type { Routing } from '#server/http/serve.ts';
import { bookFile } from '#server/services/book/file.ts';
import { bookList, openOrder } from '#server/services/book/office.ts';

export function bookRoutes({ serve, ctx }: Routing): void {
  serve(books.listBooks, ({ query }) => bookList(ctx, query));
  serve(books.downloadBook, ({ params }) => bookFile(ctx, params.eventId));
  serve(books.openBookOrder, ({ query }) => openOrder(ctx, query.order));
}
