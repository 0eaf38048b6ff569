-- Names in the words of the field. No row changes.
alter table progress rename column told_at to reported_at;
alter index progress_told rename to progress_reported;
alter function tell_event rename to notify_event;
alter trigger event_told on event rename to event_notified;
