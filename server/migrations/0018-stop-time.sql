-- No further reader begins from this time of day on, until the next update time. A rollout takes its organization's along when it is opened.
alter table organization add column stop_time text check (stop_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');
alter table rollout add column stop_time text check (stop_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');
