/** Catches what a screen throws while it draws itself, so that nobody looks at an empty page (RULES W9). */
import { Component, type ReactNode } from 'react';
import { errorMessage } from '#apps/shared/error-message.ts';
import { AsyncButton } from './async-button.tsx';
import { Icon } from './icon.tsx';

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
      <div className="ui-view" role="alert">
        <span className="ui-view-sign ui-view-sign-bad">
          <Icon name="warning" size={40} />
        </span>
        <h1 className="ui-view-title">Unexpected Application Error!</h1>
        <p className="ui-view-detail">{errorMessage(error)}</p>
        <AsyncButton variant="primary" onClick={() => location.reload()}>
          <Icon name="refresh" /> Riprova
        </AsyncButton>
        <a href="/">Torna alla pagina iniziale</a>
      </div>
    </main>
  );
}
