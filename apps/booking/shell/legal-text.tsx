/** One legal text with its title and the day of its last change, for a page or the drawer. */
import { formatDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { readLegal } from '#server/contract/site.ts';
import type { LegalName } from '#server/domain/site/legal-names.ts';
import styles from './legal-text.module.css';

/** `level` is the heading level of the title; the text's headings are one lower. */
export function LegalText({ name, level }: { name: LegalName; level: 1 | 3 }) {
  const legal = useEndpoint(
    readLegal,
    { params: { legalName: name } },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  if (legal.data === undefined)
    return legal.isPending ? (
      <Spinner />
    ) : (
      <ErrorView onRetry={() => legal.refetch()} isPage={level === 1} />
    );
  const { title, html, updated_on } = legal.data;
  const [Title, inner] = level === 1 ? (['h1', 'h2'] as const) : (['h3', 'h4'] as const);
  return (
    <>
      <Title>{title}</Title>
      {updated_on !== null && (
        <p className="small soft">
          Ultima modifica: <time dateTime={updated_on}>{formatDate(updated_on)}</time>
        </p>
      )}
      {/* Made by the server from plain text and a few tags. */}
      <div
        className={styles.text}
        dangerouslySetInnerHTML={{ __html: html.replace(/(<\/?)h2>/g, `$1${inner}>`) }}
      />
    </>
  );
}
