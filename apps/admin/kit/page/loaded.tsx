/** The states of a query on a screen: loading, failed, not allowed, empty, outdated. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { rolesWith, whoMay, type Right } from '#server/domain/user/rights.ts';
import { CallError, networkError } from '#apps/shared/api.ts';
import { formatTimeWithSeconds } from '#apps/shared/format.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { PasskeyStopped } from '#apps/admin/kit/session/passkey.ts';
import { Notice } from './notice.tsx';
import styles from './loaded.module.css';

/** The server's sentence, or ours if no answer could be read. */
export function tellFailure(error: unknown): string {
  if (error instanceof PasskeyStopped) return error.message;
  if (!(error instanceof CallError)) return 'Errore imprevisto. Riprova tra poco.';
  if (isNetworkFailure(error))
    return 'Il server non si raggiunge: controlla la connessione e riprova.';
  if (error.status === 'unknown')
    return 'La risposta del server non è leggibile. Riprova tra poco.';
  return error.message + tellOrders(error.detail);
}

/** A refusal may name the orders that prevent the act. */
function tellOrders(detail: unknown): string {
  const { orders } = (detail ?? {}) as { orders?: unknown };
  if (!Array.isArray(orders) || orders.length === 0) return '';
  const numbers = orders.filter((number) => typeof number === 'string').join(', ');
  return orders.length === 1 ? ` Li ha l’ordine ${numbers}.` : ` Li hanno gli ordini ${numbers}.`;
}

/** The request did not reach the server. */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof CallError && error.code === networkError;
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof CallError && error.status === status;
}

/** What plain and paged queries have in common. */
export interface Query<T> {
  data: T | undefined;
  isError: boolean;
  error: Error | null;
  dataUpdatedAt: number;
  refetch: () => Promise<unknown>;
}

/** `children` draws the data; after a failed refresh the old data stay, with their time. */
export function Loaded<T>({
  query,
  children,
}: {
  query: Query<T>;
  children: (data: T) => ReactNode;
}) {
  if (query.data === undefined)
    return query.isError ? (
      <Failure error={query.error} onRetry={() => query.refetch()} />
    ) : (
      <Spinner />
    );
  return (
    <>
      {/* The band over every screen already reports a lost connection. */}
      {query.isError && !isNetworkFailure(query.error) && (
        <Notice as="output" tone="warn" icon="offline" aria-label="Avviso">
          Aggiornamento non riuscito: stai vedendo i dati delle{' '}
          {formatTimeWithSeconds(query.dataUpdatedAt)}.
        </Notice>
      )}
      {children(query.data)}
    </>
  );
}

export function Failure({ error, onRetry }: { error: unknown; onRetry: () => Promise<unknown> }) {
  if (hasStatus(error, 403)) return <NotAllowed said={tellFailure(error)} />;
  if (hasStatus(error, 404))
    return (
      <Empty icon="search" title={tellFailure(error)} heading="h1">
        <Link to="/">Torna all’inizio</Link>
      </Empty>
    );
  return (
    <ErrorView text="Non si riesce a caricare." detail={tellFailure(error)} onRetry={onRetry} />
  );
}

/** Says which roles have the right, or repeats the server's sentence. */
export function NotAllowed({ right, said }: { right?: Right; said?: string }) {
  return (
    <Empty
      icon="lock"
      title="Questa pagina non è per il tuo ruolo."
      heading={right === undefined ? 'h2' : 'h1'}
    >
      {right && <p>{whoMay(rolesWith(right))}</p>}
      {said !== undefined && <p>{said}</p>}
      <p>Se ti serve, chiedi a un amministratore di cambiare il tuo ruolo.</p>
      <Link to="/">Torna all’inizio</Link>
    </Empty>
  );
}

interface EmptyProps {
  icon: IconName;
  title: string;
  /** h1 if it replaces the whole screen. */ heading?: 'h1' | 'h2';
  children?: ReactNode;
}

export function Empty({ icon, title, heading: Heading = 'h2', children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <span className="ui-view-sign">
        <Icon name={icon} size={32} />
      </span>
      <Heading className={styles.title}>{title}</Heading>
      {children}
    </div>
  );
}
