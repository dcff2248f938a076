/** Shows an error that a screen throws while it is drawn, instead of an empty page (RULES W9). */
import { Component, type ReactNode } from 'react';
import { errorMessage } from '#apps/shared/error-message.ts';
import { ErrorView } from './error-view.tsx';

/** Wraps the routes of an app. */
export class RouterErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === null ? (
      this.props.children
    ) : (
      <RouterError error={this.state.error} />
    );
  }
}

function RouterError({ error }: { error: unknown }) {
  return (
    <main>
      <ErrorView
        isPage
        text="Unexpected Application Error!"
        detail={
          <>
            {errorMessage(error)} <a href="/">Torna alla pagina iniziale</a>
          </>
        }
      />
    </main>
  );
}
