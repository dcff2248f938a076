/**
 * The error boundary of the whole app: after a failure the screen says what to do instead of
 * being empty.
 */
import { Component, type ReactNode } from 'react';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { StorageError } from './status.ts';
import parts from './parts.module.css';

export class FailureBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error === null ? (
      this.props.children
    ) : (
      <main className={parts.pageCentre}>
        <Failed error={error} />
      </main>
    );
  }
}

function Failed({ error }: { error: unknown }) {
  return error instanceof StorageError ? (
    <ErrorView
      text="Il telefono non riesce ad aprire i suoi dati"
      detail={
        error.fault === 'full'
          ? 'La memoria del telefono è piena: libera spazio e tocca «Riprova»; intanto usa un altro telefono.'
          : 'Chiudi le altre schede di questo sito e tocca «Riprova». Se non basta, riavvia il telefono ed esci dalla navigazione privata; intanto usa un altro telefono.'
      }
    />
  ) : (
    <ErrorView
      text="L’app si è fermata"
      detail="Tocca «Riprova»: le letture già fatte restano salvate su questo telefono. Se succede ancora, chiudi e riapri l’app o usa un altro telefono."
    />
  );
}
