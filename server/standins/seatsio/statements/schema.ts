/** The steps that make the tables of the seat map; a later change is a further step. */
import type { Step } from '#server/standins/kit/steps.ts';

const first = `
CREATE TABLE seatsio_companies (
  id INTEGER PRIMARY KEY AUTOINCREMENT, secret_key TEXT NOT NULL UNIQUE, designer_key TEXT NOT NULL, public_key TEXT NOT NULL, email TEXT NOT NULL, settings TEXT NOT NULL);
CREATE TABLE seatsio_admin_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT, secret_key TEXT NOT NULL UNIQUE, company_id INTEGER NOT NULL REFERENCES seatsio_companies ON DELETE CASCADE);
CREATE TABLE seatsio_workspaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT, company_id INTEGER NOT NULL REFERENCES seatsio_companies, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  is_test INTEGER NOT NULL, is_default INTEGER NOT NULL, is_active INTEGER NOT NULL);
CREATE INDEX seatsio_workspaces_company ON seatsio_workspaces (company_id);
CREATE TABLE seatsio_secret_keys (
  secret_key TEXT PRIMARY KEY, workspace_id INTEGER NOT NULL REFERENCES seatsio_workspaces ON DELETE CASCADE, created_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE seatsio_charts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL REFERENCES seatsio_workspaces ON DELETE CASCADE, key TEXT NOT NULL, name TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]', archived INTEGER NOT NULL DEFAULT 0, published_version INTEGER NOT NULL, draft_version INTEGER,
  last_version INTEGER NOT NULL DEFAULT 0, seed_hash TEXT, UNIQUE (workspace_id, key));
CREATE TABLE seatsio_drawings (
  chart_id INTEGER NOT NULL REFERENCES seatsio_charts ON DELETE CASCADE, version INTEGER NOT NULL, drawing TEXT NOT NULL,
  saved_at INTEGER, saved_by TEXT, saved_tab TEXT, was_published INTEGER NOT NULL DEFAULT 1, published_at INTEGER, published_by TEXT, PRIMARY KEY (chart_id, version));
CREATE TABLE seatsio_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL REFERENCES seatsio_workspaces ON DELETE CASCADE, key TEXT NOT NULL,
  chart_id INTEGER NOT NULL REFERENCES seatsio_charts, name TEXT, date TEXT, table_booking_config TEXT NOT NULL, object_categories TEXT, categories TEXT,
  channels TEXT NOT NULL DEFAULT '[]', for_sale_config TEXT, is_in_the_past INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, updated_at INTEGER,
  sequence INTEGER NOT NULL DEFAULT 0,
  season_id INTEGER REFERENCES seatsio_events ON DELETE CASCADE, kind TEXT NOT NULL DEFAULT 'event', for_sale_propagated INTEGER NOT NULL DEFAULT 1, revision INTEGER NOT NULL DEFAULT 0, most_held INTEGER, only_admitted INTEGER NOT NULL DEFAULT 0, UNIQUE (workspace_id, key));
CREATE INDEX seatsio_events_chart ON seatsio_events (chart_id);
CREATE INDEX seatsio_events_season ON seatsio_events (season_id) WHERE season_id IS NOT NULL;
CREATE TABLE seatsio_hold_tokens (
  token TEXT PRIMARY KEY, workspace_id INTEGER NOT NULL REFERENCES seatsio_workspaces ON DELETE CASCADE, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0,
  most_held INTEGER, admitted_to INTEGER, network TEXT) WITHOUT ROWID;
CREATE INDEX seatsio_hold_tokens_due ON seatsio_hold_tokens (settled, expires_at);
CREATE INDEX seatsio_hold_tokens_network ON seatsio_hold_tokens (network) WHERE network IS NOT NULL AND settled = 0;
CREATE TABLE seatsio_objects (
  event_id INTEGER NOT NULL REFERENCES seatsio_events ON DELETE CASCADE, label TEXT NOT NULL, status TEXT NOT NULL, hold_token TEXT, order_id TEXT, ticket_type TEXT,
  extra_data TEXT, resale_listing_id TEXT,
  held_from TEXT, PRIMARY KEY (event_id, label)) WITHOUT ROWID;
CREATE INDEX seatsio_objects_token ON seatsio_objects (hold_token) WHERE hold_token IS NOT NULL;
CREATE TABLE seatsio_places (
  event_id INTEGER NOT NULL REFERENCES seatsio_events ON DELETE CASCADE, label TEXT NOT NULL, channel TEXT NOT NULL, status TEXT NOT NULL, hold_token TEXT NOT NULL,
  ticket_type TEXT NOT NULL, quantity INTEGER NOT NULL CHECK (quantity > 0), PRIMARY KEY (event_id, label, channel, status, hold_token, ticket_type)) WITHOUT ROWID;
CREATE INDEX seatsio_places_token ON seatsio_places (hold_token) WHERE hold_token <> '';
CREATE TABLE seatsio_season_events (
  partial_id INTEGER NOT NULL REFERENCES seatsio_events ON DELETE CASCADE, event_id INTEGER NOT NULL REFERENCES seatsio_events ON DELETE CASCADE,
  PRIMARY KEY (partial_id, event_id)) WITHOUT ROWID;
CREATE INDEX seatsio_season_events_event ON seatsio_season_events (event_id);
CREATE TABLE seatsio_overrides (
  event_id INTEGER NOT NULL REFERENCES seatsio_events ON DELETE CASCADE, label TEXT NOT NULL, season_id INTEGER NOT NULL REFERENCES seatsio_events ON DELETE CASCADE,
  quantity INTEGER NOT NULL CHECK (quantity > 0), PRIMARY KEY (event_id, label, season_id)) WITHOUT ROWID;
CREATE INDEX seatsio_overrides_season ON seatsio_overrides (season_id, label);
CREATE TABLE seatsio_status_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT, event_id INTEGER NOT NULL REFERENCES seatsio_events ON DELETE CASCADE, label TEXT NOT NULL, status TEXT NOT NULL, quantity INTEGER NOT NULL,
  order_id TEXT, hold_token TEXT, extra_data TEXT, origin_type TEXT NOT NULL, origin_ip TEXT, at INTEGER NOT NULL);
CREATE INDEX seatsio_status_changes_event ON seatsio_status_changes (event_id, id);
CREATE INDEX seatsio_status_changes_object ON seatsio_status_changes (event_id, label, id);
CREATE TABLE seatsio_ticket_buyers (
  id INTEGER PRIMARY KEY AUTOINCREMENT, company_id INTEGER NOT NULL REFERENCES seatsio_companies ON DELETE CASCADE, buyer_id TEXT NOT NULL, UNIQUE (company_id, buyer_id));
CREATE TABLE seatsio_event_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL REFERENCES seatsio_workspaces ON DELETE CASCADE, type TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL);
CREATE INDEX seatsio_event_log_workspace ON seatsio_event_log (workspace_id, id);
CREATE TABLE seatsio_stream (
  event_id INTEGER NOT NULL REFERENCES seatsio_events ON DELETE CASCADE, sequence INTEGER NOT NULL, labels TEXT, PRIMARY KEY (event_id, sequence)) WITHOUT ROWID;
`;

export const seatsioSteps: readonly Step[] = [{ name: 'seatsio-001', sql: first }];
